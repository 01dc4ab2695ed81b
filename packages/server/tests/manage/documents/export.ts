import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { startTestService } from "../../support/service.ts";
import { addKey, addOrganization, addUser } from "../../support/workspace.ts";
import { type Files, apply, examples, exported, key, service } from "./support.ts";

describe("an export", () => {
  it("of every example is taken back unchanged", async () => {
    const demo = (await addKey(service.database.pool, { organizationId: "org_demo", userId: "user_ada" }))
      .key;
    const files: Files = {};
    for (const name of await readdir(examples, { recursive: true }))
      if (name.endsWith(".yaml")) files[name] = await readFile(new URL(name, examples), "utf8");
    expect(Object.keys(files).length).toBeGreaterThan(10);
    files["variables/variables.yaml"] = files["variables/variables.yaml"]!.replace(
      "name: Demo\n",
      "name: Demo\nvalues: hidden\nauditDays: 30\n",
    );
    delete files["demo/organization.yaml"];
    files["more.yaml"] = `kind: Credential
id: cred_crm
organizationId: org_demo
type: smtp
allowUnencrypted: true
secret: { host: mail.example, port: 25, user: ada, password: canary-9d1 }
---
kind: Credential
id: cred_orders
organizationId: org_demo
type: postgres
secret: { connectionString: "postgres://ada:canary-9d1@127.0.0.1:1/orders" }
---
kind: EventEndpoint
id: hooks
organizationId: org_demo
url: https://receiver.example/events
events: ["run.*", "queue.item_dispatched"]
---
kind: Flow
id: flow_odd
organizationId: org_demo
name: "no"
slug: odd
active: false
webhook: { enabled: false, respond: { wait: 2m } }
input: { type: object, properties: { name: { type: string } } }
tool: { description: Odd, readOnly: true }
schedules: [{ id: a, cron: "0 3 * * *", timezone: Europe/Istanbul, data: { z: 1, a: [true, null, "~", "1e3"] } }]
graph:
  nodes:
    - { id: start, type: start, position: { x: -1.5e-7, y: 0 } }
    - id: code
      type: code
      data:
        inputs:
          source: |
            // three lines
              return { text: "a: b # c" };

          input: { "": "", "a b": " x ", "yes": no, deep: [[], {}, [[1]], [{ b: 1, a: 2 }]] }
  edges: [{ source: start, target: code }]
`;
    const database = "postgres://ada:canary-9d1@127.0.0.1:1/shop";
    const [MAIL_PASSWORD, API_TOKEN, MODEL_KEY] = ["canary-9d1", "canary-9d1", "canary-9d1"];
    const env = { SALES_DATABASE: database, DATABASE: database, MAIL_PASSWORD, API_TOKEN, MODEL_KEY };
    const applied = await apply(files, { env }, demo);
    expect(applied.body.data?.faults ?? applied.body).toEqual([]);
    const text = await exported(demo);
    expect(text).not.toContain("canary-9d1");
    const back = await apply({ "export.yaml": text }, { prune: true }, demo);
    expect(back.body.data.faults).toEqual([]);
    expect(new Set(back.body.data.documents.map(({ action }: { action: string }) => action))).toEqual(
      new Set(["unchanged"]),
    );
    expect(back.body.data.documents.length).toBe(applied.body.data.documents.length);
    expect(await exported(demo)).toBe(text);
    expect(text).toContain("values: hidden\nauditDays: 30\nvariables:\n  region: eu\n");
    expect(text).toMatch(/^onFailure: flow_order_failed$/m);
  });

  it("into another service gives the same export there", async () => {
    const demo = (await addKey(service.database.pool, { organizationId: "org_demo", userId: "user_ada" }))
      .key;
    const text = await exported(demo);
    const other = await startTestService();
    try {
      await addOrganization(other.database.pool, "org_demo");
      await addUser(other.database.pool, "user_ada", { org_demo: "owner" });
      const { key: there } = await addKey(other.database.pool, {
        organizationId: "org_demo",
        userId: "user_ada",
      });
      const valueOf = (name: string) =>
        ({
          PORT: "25",
          SECURE: "false",
          BASEURL: "http://a.example",
          STRING: "postgres://a:b@127.0.0.1:1/c",
        })[/[A-Z]+$/.exec(name)![0]] ?? "x.example";
      const env = Object.fromEntries(
        [...text.matchAll(/env: (SECRET_\w+)/g)].map(([, name]) => [name, valueOf(name!)]),
      );
      const body = { files: [{ path: "export.yaml", text }], env };
      const applied = await other.send("POST", "/manage/documents", { key: there, body });
      expect(applied.body.data?.faults ?? applied.body).toEqual([]);
      expect((await other.get("/manage/documents", there)).body).toBe(text);
    } finally {
      await other.stop();
    }
  });

  it("is YAML, of one's own organization alone", async () => {
    const answer = await service.get("/manage/documents", key);
    expect(answer.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
    expect(answer.body).toContain("id: flow_a");
    expect(answer.body).not.toContain("org_demo");
    expect((await service.get("/manage/documents?organizationId=org_demo", key)).status).toBe(403);
  });
});
