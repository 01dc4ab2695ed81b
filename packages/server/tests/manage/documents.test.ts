import { readdir, readFile } from "node:fs/promises";
import { documentsAnswer } from "@millrace/contract/manage/documents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flow, organization } from "../apply/workspace.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

const examples = new URL("../../../../examples/", import.meta.url);

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  for (const id of ["org_a", "org_demo", "org_other"]) await addOrganization(pool, id);
  await addUser(pool, "user_ann", { org_a: "owner" });
  await addUser(pool, "user_ada", { org_demo: "owner" });
  await addUser(pool, "user_bob", { org_other: "owner" });
  key = (await addKey(pool, { organizationId: "org_a", userId: "user_ann" })).key;
});
afterAll(() => service.stop());

type Files = Record<string, string>;

const send = (path: string, files: Files, more: object = {}, as = key) =>
  service.send("POST", path, {
    key: as,
    body: { files: Object.entries(files).map(([name, text]) => ({ path: name, text })), ...more },
  });
const plan = (files: Files, more?: object, as?: string) => send("/manage/documents/plan", files, more, as);
const apply = (files: Files, more?: object, as?: string) => send("/manage/documents", files, more, as);
const exported = async (as = key) => (await service.get("/manage/documents", as)).body as string;
const count = async (table: string) =>
  (await service.database.pool.query(`SELECT count(*) AS count FROM ${table}`)).rows[0].count;
const lines = (body: { data: { documents: { action: string; kind: string; id: string }[] } }) =>
  body.data.documents.map(({ action, kind, id }) => `${action} ${kind} ${id}`);

describe("a plan", () => {
  it("says what would change and changes nothing", async () => {
    const { status, body } = await plan({ "a.yaml": flow("flow_planned") });
    expect(status).toBe(200);
    expect(documentsAnswer.parse(body).data.faults).toEqual([]);
    expect(lines(body)).toEqual(["created Flow flow_planned"]);
    expect(await count("flows")).toBe(0);
    expect(await count("audit_entries")).toBe(0);
  });

  it("with faults is 200, with every fault and what would become of the rest", async () => {
    const { status, body } = await plan({
      "good.yaml": flow("flow_good"),
      "bad.yaml": flow("flow_bad").replace("edges:", "egdes:"),
      "broken.yaml": flow("flow_broken").replace("type: return", "type: retrun"),
    });
    expect(status).toBe(200);
    expect(lines(body)).toEqual(["created Flow flow_good"]);
    expect(body.data.faults).toEqual([
      expect.objectContaining({ file: "bad.yaml", line: 6, path: "graph.edges", message: "is required" }),
      expect.objectContaining({
        file: "bad.yaml",
        line: 10,
        message: 'unknown key "egdes"; did you mean "edges"?',
      }),
      expect.objectContaining({ file: "broken.yaml", line: 9, path: "graph.nodes[1]" }),
    ]);
  });
});

describe("an apply", () => {
  it("puts documents in force, keeps who did it and why, and finds them unchanged the second time", async () => {
    const files = { "a.yaml": flow("flow_a", { more: 'schedules: [{ id: s, cron: "0 3 * * *" }]' }) };
    const first = await apply(files, { note: "first" });
    expect([first.status, lines(first.body)]).toEqual([200, ["created Flow flow_a"]]);
    expect(lines((await apply(files)).body)).toEqual(["unchanged Flow flow_a"]);
    const { rows } = await service.database.pool.query(`SELECT author, note FROM flow_versions`);
    expect(rows).toEqual([{ author: "user_ann", note: "first" }]);
    const audit = (await service.get("/manage/audit?filter[action]=flow", key)).body.data.data;
    expect(audit).toMatchObject([
      {
        action: "flow.create",
        target: "flow_a",
        by: { userId: "user_ann", via: "key" },
        after: { note: "first" },
      },
    ]);
  });

  it("of 100 documents with faults in three is 400, with each fault, and changes nothing", async () => {
    const before = [await count("flows"), await count("audit_entries")];
    const files: Files = {};
    for (let index = 0; index < 100; index++) files[`f${index}.yaml`] = flow(`flow_many_${index}`);
    files["f3.yaml"] = flow("flow_many_3").replace("name:", "nmae:");
    files["f50.yaml"] = flow("flow_many_50").replace("target: done", "target: gone");
    files["f99.yaml"] = "kind: Flow\nid: [";
    const { status, body } = await apply(files);
    expect([status, body.success, body.code]).toEqual([400, false, "documents_invalid"]);
    const places = body.data.faults.map(
      ({ file, line }: { file: string; line: number }) => `${file}:${line}`,
    );
    expect(new Set(places.map((place: string) => place.split(":")[0]))).toEqual(
      new Set(["f3.yaml", "f50.yaml", "f99.yaml"]),
    );
    expect(places).toContain("f3.yaml:4");
    expect(places).toContain("f50.yaml:10");
    expect([await count("flows"), await count("audit_entries")]).toEqual(before);
  });

  it("reaches no organization but those of the key, and tells nothing of others", async () => {
    const { status, body } = await apply({
      "a.yaml": flow("flow_x", { organizationId: "org_other" }),
      "b.yaml": organization("org_new"),
    });
    expect(status).toBe(400);
    expect(body.data.faults.map(({ message }: { message: string }) => message)).toEqual([
      'there is no organization "org_other" that this key may change; correct the id',
      'there is no organization "org_new" that this key may change; correct the id',
    ]);
    expect(await count("organizations")).toBe(3);
  });

  it("needs an owner for the organization itself, an admin for the rest", async () => {
    const { pool } = service.database;
    await addUser(pool, "user_adam", { org_a: "admin" });
    const admin = (await addKey(pool, { organizationId: "org_a", userId: "user_adam" })).key;
    const document = (limit: number) =>
      `kind: Organization\nid: org_a\nname: org_a\nlimits: { concurrency: ${limit} }\n`;
    expect((await apply({ "a.yaml": document(10) }, {}, admin)).status).toBe(200);
    const refused = await apply({ "a.yaml": document(99) }, {}, admin);
    expect([refused.status, refused.body.data.faults[0].message]).toEqual([
      400,
      "changing an organization, its limits or members needs the role owner",
    ]);
    expect((await apply({ "a.yaml": document(11) })).status).toBe(200);
  });

  it("changes nobody whom another organization knows too", async () => {
    const takeover = (id: string, email: string) =>
      `kind: Organization\nid: org_a\nname: org_a\nmembers:\n  - { id: user_ann, email: user_ann@example.com, name: User_Ann, role: owner }\n  - { id: ${id}, email: ${email}, name: User_Bob, role: viewer, disabled: true }\n`;
    const { status, body } = await apply({ "a.yaml": takeover("user_bob", "eve@example.com") });
    expect([status, body.data.faults[0].line]).toEqual([400, 6]);
    const { rows } = await service.database.pool.query(
      `SELECT email, disabled FROM users WHERE id = 'user_bob'`,
    );
    expect(rows).toEqual([{ email: "user_bob@example.com", disabled: false }]);
  });

  it("never reads the environment of the service; variables come with the request", async () => {
    const credential =
      "kind: Credential\nid: cred_env\norganizationId: org_a\ntype: http-bearer\nallowedHosts: [a.example]\nsecret: { token: { env: PATH } }\n";
    expect((await apply({ "c.yaml": credential })).body.data.faults[0].message).toBe(
      "the variable PATH is not set",
    );
    expect((await apply({ "c.yaml": credential }, { env: { PATH: "t-1" } })).status).toBe(200);
    const again = await apply({ "c.yaml": credential });
    expect(again.body.data.documents).toMatchObject([
      { action: "unchanged", warnings: ["The stored secret is kept: PATH is not set."] },
    ]);
  });

  it("on a plan that is no longer true is 409 with the difference as it is now", async () => {
    const planned = await plan({ "a.yaml": flow("flow_a", { text: "mine" }) });
    await apply({ "a.yaml": flow("flow_a", { text: "theirs" }) });
    const versions = await count("flow_versions");
    const { status, body } = await apply(
      { "a.yaml": flow("flow_a", { text: "mine" }) },
      { revision: planned.body.data.revision },
    );
    expect([status, body.code, lines(body)]).toEqual([409, "documents_changed", ["updated Flow flow_a"]]);
    expect(await count("flow_versions")).toBe(versions);
    expect(
      (await apply({ "a.yaml": flow("flow_a", { text: "mine" }) }, { revision: body.data.revision })).status,
    ).toBe(200);
  });

  it("keeps what would not run as a draft, and removes what is missing, where that is asked for", async () => {
    const broken = flow("flow_draft").replace("type: return", "type: retrun");
    expect((await apply({ "a.yaml": broken })).status).toBe(400);
    const kept = await apply({ "a.yaml": broken }, { draft: true });
    expect(kept.body.data.documents[0]).toMatchObject({
      action: "created",
      errors: [expect.stringContaining("retrun")],
    });
    const pruned = await apply({ "a.yaml": flow("flow_a", { text: "mine" }) }, { prune: true });
    expect(lines(pruned.body)).toEqual([
      "unchanged Flow flow_a",
      "removed Credential cred_env",
      "removed Flow flow_draft",
    ]);
  });
});

describe("a body that is out of bounds", () => {
  it.each([
    ["no files", {}],
    ["an unknown key", { files: [], fiels: [] }],
    ["a text that is none", { files: [{ path: "a", text: 3 }] }],
    ["too many files", { files: Array.from({ length: 2_001 }, () => ({ path: "a", text: "" })) }],
  ])("is 400: %s", async (_what, body) => {
    const answer = await service.send("POST", "/manage/documents/plan", { key, body });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request_body"]);
  });

  it("is a fault for what holds more documents than can be applied at once", async () => {
    const text = Array.from(
      { length: 2_001 },
      (_, index) =>
        `kind: EventEndpoint\nid: e${index}\norganizationId: org_a\nurl: "http://a.example"\nevents: ["*"]\n`,
    ).join("---\n");
    const { status, body } = await plan({ "a.yaml": text });
    expect([status, body.data.faults[0].message]).toEqual([
      200,
      "more than 2000 documents; apply them in parts",
    ]);
  });
});

describe("other requests", () => {
  it("are served while a large document is read", async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, index) => `        k${index}: { a: [1, 2, 3], b: "text ${index}" }`,
    ).join("\n");
    const large = `kind: Flow\nid: flow_large\norganizationId: org_a\nname: L\ngraph:\n  nodes:\n    - id: start\n      type: start\n      data:\n        inputs:\n${rows.replaceAll("        k", "          k")}\n  edges: []\n`;
    const reading = plan({ "large.yaml": large });
    const isRead = reading.then(() => true);
    let served = 0;
    while ((await Promise.race([isRead, service.get("/healthz")])) !== true) served += 1;
    expect((await reading).status).toBe(200);
    expect(served).toBeGreaterThan(20);
  });
});

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
