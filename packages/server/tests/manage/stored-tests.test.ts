import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let key: string;
let terminal: Terminal;
beforeAll(async () => {
  [service, terminal] = await Promise.all([startRunService(), createTerminal()]);
  key = service.key;
});
afterAll(async () => {
  await service.stop();
  await terminal.close();
});

const post = (path: string, body: object = {}) => service.send("POST", path, { key, body });
const get = async (path: string) => (await service.get(path, key)).body.data;
const put = (path: string, body: object) => service.send("PUT", path, { key, body });

const doubling = (by: number) => chain(node("end", "return", { value: { n: `{{ data.n * ${by} }}` } }));
const flowOf = (id: string, graph: object, more: object = {}) => ({
  kind: "Flow",
  id,
  organizationId: "org_run",
  name: id,
  ...more,
  graph,
});
const testOf = (flowId: string, id: string, n: number) => ({
  kind: "FlowTest",
  id,
  flowId,
  name: `Two becomes ${n}`,
  data: { n: 2 },
  expect: { output: { n } },
});
const apply = async (documents: readonly object[], more: object = {}) => {
  const files = documents.map((one, index) => ({ path: `${index}.json`, text: JSON.stringify(one) }));
  const { status, body } = await post("/manage/documents", { files, ...more });
  expect([status, body.data.faults]).toEqual([200, []]);
  return body.data.documents.map(({ action, kind, id }: Record<string, string>) => `${action} ${kind} ${id}`);
};
const draft = async (flowId: string, graph: object, more: object = {}) => {
  const { revision } = await get(`/manage/flows/${flowId}/draft`);
  const saved = await put(`/manage/flows/${flowId}/draft`, { graph, revision, ...more });
  expect(saved.status).toBe(200);
};
const testIds = async (flowId: string) =>
  (await get(`/manage/flows/${flowId}/tests`)).data.map(({ id }: { id: string }) => id);

describe("the tests of a flow", () => {
  it("are kept by apply with the flow that comes with them, exported, and pruned", async () => {
    const documents = [flowOf("flow_kept", doubling(2)), testOf("flow_kept", "doubles", 4)];
    const stray = testOf("flow_elsewhere", "stray", 4);
    expect(await apply([...documents, stray])).toEqual([
      "created Flow flow_kept",
      "created FlowTest doubles",
    ]);
    expect(await apply(documents)).toEqual(["unchanged Flow flow_kept", "unchanged FlowTest doubles"]);
    const exported = await service.get("/manage/documents", key);
    expect(exported.body).toContain("Two becomes 4");
    const again = await post("/manage/documents", { files: [{ path: "all.yaml", text: exported.body }] });
    expect(again.body.data.documents.every(({ action }: { action: string }) => action === "unchanged")).toBe(
      true,
    );
    expect(await apply([documents[0]!])).toEqual(["unchanged Flow flow_kept"]);
    expect(await testIds("flow_kept")).toEqual(["doubles"]);
    const pruned = await post("/manage/documents/plan", {
      files: [{ path: "f.json", text: JSON.stringify(documents[0]) }],
      prune: true,
    });
    expect(pruned.body.data.documents).toContainEqual(
      expect.objectContaining({ action: "removed", kind: "FlowTest", id: "doubles" }),
    );
    expect(await testIds("flow_kept")).toEqual(["doubles"]);
  });

  it("cannot share an id", async () => {
    const documents = [testOf("flow_kept", "twice", 4), testOf("flow_kept", "twice", 6)];
    const files = documents.map((one, index) => ({ path: `${index}.json`, text: JSON.stringify(one) }));
    const { status, body } = await post("/manage/documents", { files });
    expect([status, body.data.faults.length]).toEqual([400, 1]);
    expect(body.data.faults[0]).toMatchObject({
      file: "1.json",
      message: expect.stringContaining("0.json:1"),
    });
  });

  it("are stored, run on the draft and removed one by one, and end with the flow", async () => {
    await apply([flowOf("flow_one", doubling(2))]);
    const stored = await put("/manage/flows/flow_one/tests/doubles", {
      document: testOf("flow_one", "doubles", 4),
    });
    expect([stored.status, stored.body.data.author]).toEqual([200, "rosa"]);
    expect((await post("/manage/flows/flow_one/draft/test")).body.data).toMatchObject({
      passed: 1,
      failed: 0,
    });
    const other = { graph: doubling(3) };
    const failed = (await post("/manage/flows/flow_one/draft/test", other)).body.data;
    expect(failed.tests[0].failures[0].differences.join()).toContain("6");
    const wrong = await put("/manage/flows/flow_one/tests/other", {
      document: testOf("flow_one", "doubles", 4),
    });
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, ["document", "id"]]);
    const elsewhere = testOf("flow_kept", "doubles", 4);
    expect((await put("/manage/flows/flow_one/tests/doubles", { document: elsewhere })).status).toBe(400);
    const remove = (id: string) => service.send("DELETE", `/manage/flows/flow_one/tests/${id}`, { key });
    expect((await remove("nobody")).body.code).toBe("test_not_found");
    expect((await remove("%00")).body.code).toBe("invalid_id");
    expect((await remove("doubles")).status).toBe(200);
    expect((await post("/manage/flows/flow_one/draft/test")).body.data).toEqual({
      passed: 0,
      failed: 0,
      tests: [],
    });
    await put("/manage/flows/flow_one/tests/doubles", { document: testOf("flow_one", "doubles", 4) });
    await service.send("DELETE", "/manage/flows/flow_one", { key });
    await apply([flowOf("flow_one", doubling(2))]);
    expect(await testIds("flow_one")).toEqual([]);
  });
});

describe("publishing that requires tests", () => {
  const publish = (flowId: string, locale = "en") =>
    service.send("POST", `/manage/flows/${flowId}/publish`, {
      key,
      body: {},
      headers: { "x-locale": locale },
    });

  it("refuses a draft without tests, names those that fail, and lets one through that passes", async () => {
    await apply([flowOf("flow_strict", doubling(1), { requireTests: true })]);
    await draft("flow_strict", doubling(2));
    expect((await publish("flow_strict")).body).toMatchObject({ code: "tests_missing" });
    for (const [id, n] of [
      ["doubles", 4],
      ["trebles", 6],
    ] as const)
      await put(`/manage/flows/flow_strict/tests/${id}`, { document: testOf("flow_strict", id, n) });
    const refused = await publish("flow_strict", "de");
    expect([refused.status, refused.body.code]).toEqual([400, "tests_failed"]);
    expect(refused.body.message).toContain("Two becomes 6");
    expect(refused.body.message).not.toContain("Two becomes 4");
    expect(refused.body.message).toContain("veröffentlicht");
    expect(refused.body.data.tests).toEqual([expect.objectContaining({ id: "trebles", passed: false })]);
    expect((await get("/manage/flows/flow_strict/draft")).saved).toBe(true);
    await service.send("DELETE", "/manage/flows/flow_strict/tests/trebles", { key });
    expect((await publish("flow_strict")).status).toBe(200);
  });

  it("holds a draft that drops the rule to it once more", async () => {
    await draft("flow_strict", doubling(3), { settings: {} });
    expect((await publish("flow_strict")).body.code).toBe("tests_failed");
    await draft("flow_strict", doubling(2), { settings: {} });
    expect((await publish("flow_strict")).status).toBe(200);
    await draft("flow_strict", doubling(3));
    expect((await publish("flow_strict")).status).toBe(200);
  });

  it("leaves the way back free", async () => {
    const versions = (await get("/manage/flows/flow_strict/versions")).data;
    const oldest = versions.at(-1).version;
    expect((await post("/manage/flows/flow_strict/rollback", { version: oldest })).status).toBe(200);
  });
});

describe("a new flow", () => {
  it("begins with nothing, under an id made of its name, and runs only once it is published", async () => {
    const { status, body } = await post("/manage/flows", { name: "Tägliche Zählung" });
    expect([status, body.data]).toEqual([
      201,
      { flowId: "flow_tagliche_zahlung", revision: 1, flows: ["flow_tagliche_zahlung"] },
    ]);
    const again = await post("/manage/flows", { name: "Tägliche Zählung" });
    expect(again.body.data.flowId).toBe("flow_tagliche_zahlung_2");
    const listed = await get("/manage/flows");
    expect(listed.data[0]).toMatchObject({ state: "draft", version: null, managedBy: "console" });
    const trigger = { payload: { flowId: "flow_tagliche_zahlung" } };
    expect((await post("/api/runs", trigger)).status).toBe(400);
    expect((await post("/manage/flows/flow_tagliche_zahlung/publish")).status).toBe(200);
    expect((await post("/api/runs", trigger)).status).toBe(201);
  });

  it("begins with a template, its tests and the flows it runs, as often as one likes", async () => {
    for (const suffix of ["", "_2"]) {
      const { body } = await post("/manage/flows", { template: "vacation" });
      const [main, days] = body.data.flows;
      expect(main).toMatch(new RegExp(`^flow_.*${suffix}$`));
      const { graph } = await get(`/manage/flows/${main}/draft`);
      const called = graph.nodes.find(({ type }: { type: string }) => type === "run-flow");
      expect(called.data.inputs.flowId).toBe(days);
      const { failed, passed } = (await post(`/manage/flows/${main}/draft/test`)).body.data;
      expect([failed, passed > 0]).toEqual([0, true]);
    }
    expect((await post("/manage/flows", { template: "nothing" })).body.code).toBe("template_not_found");
  });

  it("can be a copy of the draft of another one, with its tests", async () => {
    const { body } = await post("/manage/flows", { copyOf: "flow_kept", name: "Copy" });
    expect(body.data.flowId).toBe("flow_copy");
    expect((await get("/manage/flows/flow_copy/draft")).graph).toEqual(doubling(2));
    expect((await post("/manage/flows/flow_copy/draft/test")).body.data).toMatchObject({ passed: 1 });
    expect((await post("/manage/flows", { copyOf: "flow_nobody" })).status).toBe(404);
  });

  it("is refused where it is not clear, or where its id is taken, by a deleted flow too", async () => {
    expect((await post("/manage/flows", {})).body.issues[0].path).toEqual(["name"]);
    const both = { template: "vacation", copyOf: "flow_kept" };
    expect((await post("/manage/flows", both)).body.issues[0].path).toEqual(["template"]);
    const taken = await post("/manage/flows", { id: "flow_kept", name: "Kept" });
    expect([taken.status, taken.body.code]).toEqual([409, "flow_id_taken"]);
    await post("/manage/flows", { id: "flow_gone", name: "Gone" });
    await service.send("DELETE", "/manage/flows/flow_gone", { key });
    expect((await post("/manage/flows", { id: "flow_gone", name: "Gone" })).status).toBe(409);
  });
});

describe("a flow that apply brought", () => {
  it("is detached, and taken back by the next apply, which says so", async () => {
    const documents = [flowOf("flow_owned", doubling(2))];
    await apply(documents);
    expect((await get("/manage/flows/flow_owned/draft")).managedBy).toBe("apply");
    expect((await post("/manage/flows/flow_owned/detach")).body.data.managedBy).toBe("console");
    expect((await post("/manage/flows/flow_owned/detach")).status).toBe(200);
    expect(await apply(documents)).toEqual(["updated Flow flow_owned"]);
    expect((await get("/manage/flows/flow_owned/draft")).managedBy).toBe("apply");
  });
});

describe("on the command line", () => {
  const run = (command: string) =>
    terminal.run(command, { MILLRACE_URL: service.address, MILLRACE_API_KEY: key });

  it("flows are created, tested by what is stored, detached and published", async () => {
    expect((await run("flows create --template quota --id flow_cli")).stdout).toContain(
      "flow_cli is a draft",
    );
    expect((await run("flows tests flow_cli")).stdout).toMatch(/quota-last .* yes/);
    await apply([flowOf("flow_terminal", doubling(2), { requireTests: true })]);
    expect((await run("flows detach flow_terminal")).stdout).toContain("kept by the console");
    const refused = await run("flows publish flow_terminal");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("requires tests")]);
    await put("/manage/flows/flow_terminal/tests/t", { document: testOf("flow_terminal", "t", 5) });
    expect((await run("flows publish flow_terminal")).stderr).toContain("Two becomes 5");
    expect((await run("flows tests flow_terminal --remove t")).stdout).toContain("t is removed");
    const runId = await service.begin("flow_terminal", { payload: { data: { n: 2 } } });
    await service.untilEnd(runId);
    expect((await run(`runs save-test ${runId} --keep * --id saved --store`)).stdout).toContain(
      "Stored with",
    );
    expect((await run("flows publish flow_terminal")).code).toBe(0);
  });
});
