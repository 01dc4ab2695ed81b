import { describe, expect, it } from "vitest";
import { hashExecutableGraph } from "../../../src/domain/flow/version-hash.ts";
import { chain, node } from "../../support/runs-flows.ts";
import { addKey, addOrganization, addUser } from "../../support/workspace.ts";
import { deploy, get, key, outputOf, post, returning, service } from "./support.ts";

describe("the versions of a flow", () => {
  it("are listed with author, time and note, newest first, page by page", async () => {
    const versions = [];
    for (const text of ["one", "two", "three"]) versions.push(await deploy("flow_v", returning(text)));
    const { data, pagination } = await get("/manage/flows/flow_v/versions?page[size]=2");
    expect(
      data.map(({ version, active }: { version: string; active: boolean }) => [version, active]),
    ).toEqual([
      [versions[2], true],
      [versions[1], false],
    ]);
    expect(data[0]).toMatchObject({
      author: "rosa",
      note: "deploy flow_v",
      nodes: 2,
      createdAt: expect.any(String),
    });
    const rest = await get(`/manage/flows/flow_v/versions?page[size]=2&page[after]=${pagination.next}`);
    expect(rest.data.map(({ version }: { version: string }) => version)).toEqual([versions[0]]);
    const one = await get(`/manage/flows/flow_v/versions/${versions[0]}`);
    expect(one.graph).toEqual(returning("one"));
  });

  it("are told apart in words", async () => {
    const first = await deploy(
      "flow_diff",
      chain(node("a", "set", { values: { x: 1 } }), node("end", "return")),
    );
    const second = await deploy("flow_diff", {
      nodes: [
        { id: "start", type: "start", data: {}, position: { x: 9, y: 9 } },
        { id: "a", type: "set", data: { inputs: { values: { x: 2 } }, retry: { maxAttempts: 2 } } },
        { id: "b", type: "template", data: { label: "Greet", inputs: { text: "hi" } } },
      ],
      edges: [
        { id: "e0", source: "start", target: "a" },
        { id: "e1", source: "a", target: "b" },
      ],
    });
    const diff = await get(`/manage/flows/flow_diff/versions/${first}/diff/${second}`);
    expect(diff.runsAlike).toBe(false);
    expect(diff.changes.map(({ text }: { text: string }) => text)).toEqual([
      'Node "a": retry.maxAttempts was set to 2.',
      'Node "a": the input "values" changed from {"x":1} to {"x":2}.',
      'Node "b" (Greet) of type template was added.',
      'Node "end" of type return was removed.',
      "The edge a → b was added.",
      "The edge a → end was removed.",
    ]);
    expect((await get(`/manage/flows/flow_diff/versions/${first}/diff/${first}`)).changes).toEqual([]);
  });

  it("are 404 where there are none, and nothing is known of another organization's", async () => {
    for (const path of ["versions/20200101.1", "versions/nonsense", "versions/20200101.1/diff/20200101.2"])
      expect((await service.get(`/manage/flows/flow_v/${path}`, key)).body.code).toBe("version_not_found");
    const { pool } = service.database;
    await addOrganization(pool, "org_alien");
    await addUser(pool, "alien", { org_alien: "owner" });
    const alien = (await addKey(pool, { organizationId: "org_alien", userId: "alien" })).key;
    for (const path of ["versions", "draft", "deletion"])
      expect((await service.get(`/manage/flows/flow_v/${path}`, alien)).status).toBe(404);
    expect((await service.send("DELETE", "/manage/flows/flow_v", { key: alien })).status).toBe(404);
  });
});

describe("a rollback", () => {
  it("puts an earlier version in force as a new one, for the very next trigger", async () => {
    const first = await deploy("flow_back", returning("one"));
    const second = await deploy("flow_back", returning("two"));
    expect(await outputOf("flow_back")).toEqual({ text: "two" });
    const { status, body } = await post("/manage/flows/flow_back/rollback", {
      version: first,
      note: "it broke",
    });
    expect([status, body.data.previous]).toEqual([200, second]);
    expect(await outputOf("flow_back")).toEqual({ text: "one" });
    const { data } = await get("/manage/flows/flow_back/versions");
    expect(data[0]).toMatchObject({
      version: body.data.version,
      active: true,
      note: "it broke",
      author: "rosa",
    });
    const audit = await get("/manage/audit?filter[action]=flow.rollback");
    expect(audit.data[0]).toMatchObject({
      target: "flow_back",
      before: { version: second },
      after: { version: body.data.version, note: "it broke" },
    });
  });

  it("to what runs alike changes nothing, and to nothing is 404", async () => {
    const only = await deploy("flow_same", returning("one"));
    expect((await post("/manage/flows/flow_same/rollback", { version: only })).body.data.version).toBe(only);
    expect((await post("/manage/flows/flow_same/rollback", { version: "20200101.7" })).status).toBe(404);
    expect((await post("/manage/flows/flow_same/rollback", { verison: only })).status).toBe(400);
  });

  it("under load fails no trigger", async () => {
    const first = await deploy("flow_load", returning("one"));
    const second = await deploy("flow_load", returning("two"));
    const load = { isOn: true };
    const statuses: number[] = [];
    const loading = Array.from({ length: 4 }, async () => {
      while (load.isOn) statuses.push((await service.trigger("flow_load")).status);
    });
    for (let round = 0; round < 6 || (statuses.length < 40 && round < 500); round++) {
      const { status } = await post("/manage/flows/flow_load/rollback", {
        version: round % 2 === 0 ? first : second,
      });
      expect(status).toBe(200);
    }
    load.isOn = false;
    await Promise.all(loading);
    expect(statuses.length).toBeGreaterThanOrEqual(40);
    expect(statuses.filter((status) => status !== 201 && status !== 202)).toEqual([]);
  });
});

describe("a version from before a rule was made", () => {
  const reading = chain(node("end", "return", { value: { text: "{{ nodes.gone.text }}!" } }));
  const broken = chain(
    node("sum", "code", { source: "return {" }),
    node("end", "return", { value: { text: "x" } }),
  );
  const plan = async (id: string, graph: object) => {
    const document = { kind: "Flow", id, organizationId: "org_run", name: id, graph };
    const files = [{ path: "a.json", text: JSON.stringify(document) }];
    return (await post("/manage/documents/plan", { files })).body.data;
  };

  it("is triggered as before, and its document beside others is a warning", async () => {
    await service.flow("flow_old", reading);
    expect(await outputOf("flow_old")).toEqual({ text: "!" });
    await service.rows(
      `UPDATE flow_versions SET hash = $1 WHERE flow_id = 'flow_old'`,
      hashExecutableGraph(reading as never),
    );
    const planned = await plan("flow_old", reading);
    expect(planned.faults).toEqual([]);
    expect(planned.documents[0].warnings.join()).toContain("nodes.gone");
    const changed = await plan("flow_old", { ...reading, edges: [], nodes: reading.nodes.slice(1) });
    expect(changed.faults.map(({ message }: { message: string }) => message).join()).toContain("nodes.gone");
  });

  it("fails where it fails, not when it is triggered", async () => {
    await service.flow("flow_old_code", broken);
    const run = await service.untilEnd(await service.begin("flow_old_code"));
    expect(run.status).toBe("FAILED");
    expect((await plan("flow_new_code", broken)).faults[0].message).toContain("cannot be read");
  });

  it("can be rolled back to", async () => {
    await service.flow("flow_old_back", reading);
    const [{ version }] = await service.rows(`SELECT version FROM flows WHERE id = 'flow_old_back'`);
    await deploy("flow_old_back", returning("new"));
    const { status, body } = await post("/manage/flows/flow_old_back/rollback", { version });
    expect([status, body.data.warnings.join()]).toEqual([200, expect.stringContaining("nodes.gone")]);
    expect(await outputOf("flow_old_back")).toEqual({ text: "!" });
    const again = await post("/manage/flows/flow_old_back/draft/validate", { graph: reading });
    expect(again.body.data.valid).toBe(false);
  });
});
