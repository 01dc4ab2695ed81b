import { documentsAnswer } from "@millrace/contract/manage/documents";
import { describe, expect, it } from "vitest";
import { flow, organization } from "../../apply/workspace.ts";
import { addKey, addUser } from "../../support/workspace.ts";
import { type Files, apply, count, key, lines, plan, service } from "./support.ts";

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
