import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashExecutableGraph } from "../../src/domain/flow/version-hash.ts";
import { chain, node, type TestGraph } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let key: string;
beforeAll(async () => {
  service = await startRunService();
  key = service.key;
});
afterAll(() => service.stop());

const returning = (text: string) => chain(node("end", "return", { value: { text } }));
const post = (path: string, body: object = {}) => service.send("POST", path, { key, body });
const get = async (path: string) => (await service.get(path, key)).body.data;

async function deploy(id: string, graph: TestGraph | object, more: object = {}): Promise<string> {
  const document = { kind: "Flow", id, organizationId: "org_run", name: id, graph, ...more };
  const { status, body } = await post("/manage/documents", {
    files: [{ path: `${id}.json`, text: JSON.stringify(document) }],
    note: `deploy ${id}`,
  });
  expect([status, body.data.faults ?? []]).toEqual([200, []]);
  return body.data.documents[0].version;
}

const outputOf = async (flowId: string) => {
  const run = await service.untilEnd(await service.begin(flowId));
  return run.output;
};

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

describe("a draft", () => {
  const draftOf = (flowId: string) => get(`/manage/flows/${flowId}/draft`);
  const put = (flowId: string, graph: object, revision: number) =>
    service.send("PUT", `/manage/flows/${flowId}/draft`, { key, body: { graph, revision } });

  it("is the version in force until somebody saves another, on top of what he has read", async () => {
    await deploy("flow_d", returning("one"));
    const read = await draftOf("flow_d");
    expect(read).toMatchObject({ saved: false, graph: returning("one") });
    const saved = await put("flow_d", returning("two"), read.revision);
    expect([saved.status, saved.body.data.revision]).toEqual([200, read.revision + 1]);
    const stale = await put("flow_d", returning("three"), read.revision);
    expect([stale.status, stale.body.code, stale.body.data]).toEqual([
      409,
      "draft_changed",
      { revision: read.revision + 1 },
    ]);
    expect(await draftOf("flow_d")).toMatchObject({ saved: true, graph: returning("two"), author: "rosa" });
    expect(await outputOf("flow_d")).toEqual({ text: "one" });
  });

  it("of two who save at once has one winner", async () => {
    await deploy("flow_two", returning("one"));
    const { revision } = await draftOf("flow_two");
    const answers = await Promise.all(
      ["a", "b", "c"].map((text) => put("flow_two", returning(text), revision)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it("is stale once another version is in force", async () => {
    await deploy("flow_stale", returning("one"));
    const { revision } = await draftOf("flow_stale");
    await deploy("flow_stale", returning("two"));
    expect((await put("flow_stale", returning("three"), revision)).status).toBe(409);
  });

  it("says what is wrong with it, and is published only when nothing is", async () => {
    await deploy("flow_p", returning("one"));
    const broken = chain({ id: "end", type: "retrun", data: {} });
    const { revision } = await draftOf("flow_p");
    await put("flow_p", broken, revision);
    const validation = (await post("/manage/flows/flow_p/draft/validate")).body.data;
    expect(validation).toMatchObject({ valid: false, problems: [{ path: ["nodes", 1] }] });
    const refused = await post("/manage/flows/flow_p/publish");
    expect([refused.status, refused.body.validationErrors]).toEqual([400, validation.errors]);
    expect(
      (await post("/manage/flows/flow_p/draft/validate", { graph: returning("x") })).body.data.valid,
    ).toBe(true);
    await put("flow_p", returning("two"), revision + 1);
    const published = await post("/manage/flows/flow_p/publish", { note: "better", revision: revision + 2 });
    expect(published.status).toBe(200);
    expect(await outputOf("flow_p")).toEqual({ text: "two" });
    expect(await draftOf("flow_p")).toMatchObject({ saved: false, version: published.body.data.version });
    expect((await get("/manage/flows/flow_p/versions")).data[0]).toMatchObject({
      note: "better",
      active: true,
    });
  });

  it("keeps what the document says beside its graph, and publish, diff and rollback carry it", async () => {
    const input = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
    const first = await deploy("flow_s", returning("one"), { tool: { description: "Greets." } });
    const { revision } = await draftOf("flow_s");
    expect(await draftOf("flow_s")).toMatchObject({
      saved: false,
      settings: { tool: { description: "Greets." } },
    });
    const save = (body: object) =>
      service.send("PUT", "/manage/flows/flow_s/draft", { key, body: { graph: returning("two"), ...body } });
    expect((await save({ revision })).status).toBe(200);
    expect((await draftOf("flow_s")).settings).toEqual({ tool: { description: "Greets." } });
    expect((await save({ settings: { input, onFailure: "flow_none" }, revision: revision + 1 })).status).toBe(
      200,
    );
    const refused = await post("/manage/flows/flow_s/publish");
    expect([refused.status, refused.body.validationErrors]).toEqual([
      400,
      [expect.stringContaining('onFailure names the flow "flow_none"')],
    ]);
    expect((await post("/manage/flows/flow_s/draft/validate", { settings: { input } })).body.data.valid).toBe(
      true,
    );
    const bad = { settings: { input: { type: "strnig" } } };
    expect((await post("/manage/flows/flow_s/draft/validate", bad)).body.data.valid).toBe(false);
    expect((await save({ settings: { inptu: input }, revision: revision + 2 })).body.issues[0].path).toEqual([
      "settings",
      "inptu",
    ]);
    await save({ settings: { input }, revision: revision + 2 });
    const diff = await get(`/manage/flows/flow_s/versions/${first}/diff/draft`);
    expect(diff.changes.slice(0, 2)).toEqual([
      { what: "setting", id: "input", change: "added", text: expect.stringContaining("input was set to") },
      { what: "setting", id: "tool", change: "removed", text: expect.stringContaining("tool was removed") },
    ]);
    const { version } = (await post("/manage/flows/flow_s/publish")).body.data;
    expect((await get(`/manage/flows/flow_s/versions/${version}`)).settings).toEqual({ input });
    expect((await service.trigger("flow_s")).status).toBe(400);
    await post("/manage/flows/flow_s/rollback", { version: first });
    expect(await outputOf("flow_s")).toEqual({ text: "one" });
    const back = await get("/manage/flows/flow_s/draft");
    expect(back.settings).toEqual({ tool: { description: "Greets." } });
  });

  it("of a document that would not run keeps all of it", async () => {
    const broken = { graph: chain({ id: "end", type: "retrun", data: {} }), tool: { description: "Later." } };
    const document = { kind: "Flow", id: "flow_kept_draft", organizationId: "org_run", name: "K", ...broken };
    const files = [{ path: "k.json", text: JSON.stringify(document) }];
    await post("/manage/documents", { files, draft: true });
    const draft = await draftOf("flow_kept_draft");
    expect(draft).toMatchObject({ saved: true, settings: { tool: broken.tool } });
    await put("flow_kept_draft", returning("one"), draft.revision);
    const { version } = (await post("/manage/flows/flow_kept_draft/publish")).body.data;
    expect((await get(`/manage/flows/flow_kept_draft/versions/${version}`)).settings).toEqual({
      tool: broken.tool,
    });
  });

  it("is not published where another one was saved meanwhile", async () => {
    await deploy("flow_q", returning("one"));
    const { revision } = await draftOf("flow_q");
    await put("flow_q", returning("two"), revision);
    const answer = await post("/manage/flows/flow_q/publish", { revision });
    expect([answer.status, answer.body.data.revision]).toEqual([409, revision + 1]);
    expect(await outputOf("flow_q")).toEqual({ text: "one" });
  });

  it("with unknown keys, or what cannot be stored, is 400 with the path", async () => {
    await deploy("flow_r", returning("one"));
    const unknown = await put("flow_r", { nodes: [{ id: "a", type: "set", daat: {} }], edges: [] }, 1);
    expect([unknown.status, unknown.body.issues]).toEqual([
      400,
      [{ path: ["graph", "nodes", 0, "daat"], message: 'unknown key "daat"; did you mean "data"?' }],
    ]);
    const misspelt = await post("/manage/flows/flow_r/draft/validate", {
      graph: chain(node("a", "template", { txet: "x", text: "y" })),
    });
    expect(misspelt.body.data.problems[0]).toEqual({
      path: ["nodes", 1, "data", "inputs", "txet"],
      message: 'unknown input "txet"; did you mean "text"?',
    });
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

describe("activating and deactivating", () => {
  it("is shown in the list and rests schedules and webhook", async () => {
    await deploy("flow_act", returning("one"), {
      webhook: { enabled: true },
      schedules: [{ id: "s", cron: "* * * * *" }],
    });
    const off = await post("/manage/flows/flow_act/deactivate");
    expect(off.body.data).toMatchObject({
      id: "flow_act",
      state: "inactive",
      webhook: "enabled",
      schedules: 1,
    });
    const schedules = await get("/manage/schedules");
    expect(schedules.data).toMatchObject([{ flowId: "flow_act", state: "flow-inactive", next: [] }]);
    const on = await post("/manage/flows/flow_act/activate");
    expect(on.body.data.state).toBe("active");
    const listed = (await get("/manage/flows?page[size]=100")).data.find(
      ({ id }: { id: string }) => id === "flow_act",
    );
    expect(listed).toEqual(on.body.data);
    const audit = await get("/manage/audit?filter[target]=flow_act");
    expect(audit.data.map(({ action }: { action: string }) => action)).toEqual([
      "flow.activate",
      "flow.deactivate",
      "flow.create",
    ]);
  });
});

describe("deleting a flow", () => {
  const asking = chain(node("ask", "approval", { message: "Go on?" }));
  const statusOf = async (runId: string) => (await service.get(`/api/runs/${runId}`, key)).body.data.status;

  async function waitingRuns(flowId: string): Promise<string[]> {
    await deploy(flowId, asking);
    const paused = await service.begin(flowId);
    await until("it is paused", async () => (await statusOf(paused)) === "PAUSED");
    const delayed = await service.begin(flowId, { delay: "1h" });
    return [paused, delayed];
  }

  it("says beforehand what becomes of its runs, and then does exactly that", async () => {
    const [paused, delayed] = await waitingRuns("flow_gone");
    const preview = await get("/manage/flows/flow_gone/deletion");
    expect(preview.runs).toEqual({
      executing: { count: 0, becomes: "goes on" },
      queued: { count: 0, becomes: "canceled" },
      delayed: { count: 1, becomes: "canceled" },
      paused: { count: 1, becomes: "canceled" },
    });
    const { status, body } = await service.send("DELETE", "/manage/flows/flow_gone", { key });
    expect([status, body.data]).toEqual([200, { ...preview, deletedAt: expect.any(String) }]);
    await until(
      "both are canceled",
      async () => (await statusOf(paused!)) === "CANCELED" && (await statusOf(delayed!)) === "CANCELED",
    );
    expect((await service.trigger("flow_gone")).status).toBe(404);
    expect((await service.send("DELETE", "/manage/flows/flow_gone", { key })).status).toBe(404);
  });

  it("leaves them alone where that is said", async () => {
    const [paused, delayed] = await waitingRuns("flow_kept");
    const preview = await get("/manage/flows/flow_kept/deletion?runs=keep");
    expect(preview.runs.paused).toEqual({ count: 1, becomes: "goes on" });
    await service.send("DELETE", "/manage/flows/flow_kept?runs=keep", { key });
    expect([await statusOf(paused!), await statusOf(delayed!)]).toEqual(["PAUSED", "WAITING"]);
    const answer = await post(`/api/runs/${paused}/resume`, { decision: "approved" });
    expect(answer.status).toBe(200);
    expect((await service.untilEnd(paused!)).status).toBe("COMPLETED");
  });
});
