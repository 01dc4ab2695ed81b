import { describe, expect, it } from "vitest";
import { drawFlow } from "../../src/domain/flow/draw-flow.ts";
import { Redaction } from "../../src/domain/flow-test/redaction.ts";
import { expectResult, type RunToTest, testOfRun } from "../../src/domain/flow-test/test-of-run.ts";
import type { RunNodeRecord } from "../../src/domain/run-record.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";

const finishedTest = (...args: Parameters<typeof testOfRun>) => finishSliced(testOfRun(...args));

describe("redaction", () => {
  it("replaces values by others of the same form, equal ones by equal ones", () => {
    const redaction = new Redaction([]);
    const value = {
      mail: "ada@example.org",
      again: ["ada@example.org"],
      site: "https://ada.example/x",
      at: "2024-05-06T07:08:09Z",
      on: "2024-05-06",
      id: "6f1c2d3e-0000-4a00-8000-0123456789ab",
      digits: "4711",
      name: "Ada",
      price: 12.5,
      count: 12,
      harmless: ["", 0, 1, true, false, null],
    };
    expect(finishSliced(redaction.redact(value, ["data"]))).toEqual({
      mail: "user2@example.com",
      again: ["user2@example.com"],
      site: "https://example.com/3",
      at: "2026-01-01T00:04:00.000Z",
      on: "2026-01-05",
      id: "00000000-0000-4000-8000-000000000006",
      digits: "7",
      name: "redacted 8",
      price: 9.5,
      count: 10,
      harmless: ["", 0, 1, true, false, null],
    });
    expect(redaction.redacted).toContain("data.again[]");
    expect(redaction.kept).toEqual([]);
  });

  it("keeps what is named, with all below it, and secrets never", () => {
    const value = {
      body: { lines: [{ price: 5 }, { price: 6 }], linesTotal: 11, token: "t-1", note: "Bearer abc" },
      x: "y",
    };
    const keeping = (...keep: string[]) => {
      const redaction = new Redaction(keep);
      finishSliced(redaction.redact(value, ["trigger"]));
      return redaction.kept;
    };
    expect(keeping("trigger.body.lines")).toEqual(["trigger.body.lines[].price"]);
    expect(keeping("trigger.body.lines[].price")).toEqual(["trigger.body.lines[].price"]);
    expect(keeping("trigger.body.lines[1]")).toEqual(["trigger.body.lines[].price"]);
    expect(keeping("*")).toEqual(["trigger.body.lines[].price", "trigger.body.linesTotal", "trigger.x"]);
    expect(keeping("nothing", "trigger.body.line")).toEqual([]);
  });
});

const record = (nodeKey: string, more: Partial<RunNodeRecord>): RunNodeRecord => ({
  nodeKey,
  nodeId: nodeKey.replace(/\[\d+\]/, ""),
  type: "http-request",
  status: "COMPLETED",
  startedAt: 0,
  endedAt: 1,
  attempts: 1,
  log: [],
  ...more,
});
const run = (records: readonly RunNodeRecord[], more: Partial<RunToTest> = {}): RunToTest => ({
  id: "run_1",
  flowId: "flow_a",
  startedAtMs: 0,
  trigger: null,
  data: null,
  inputs: null,
  records,
  ...more,
});
const named = { id: "t", name: "T" };

describe("the test of a run", () => {
  it("lets others have their turn while much is redacted", () => {
    const data = { list: Array.from({ length: 10_000 }, (_, index) => index) };
    const turns = [...testOfRun(run([], { data }), named, new Redaction([]), nodeTypes)].length;
    expect(turns).toBe(100);
  });

  it("holds what was given and answered", () => {
    const records = [
      record("same[0]", { output: { status: 200, body: "x" } }),
      record("same[1]", { output: { status: 200, body: "x" } }),
      record("other[0]", { output: { status: 200 } }),
      record("other[1]", { status: "FAILED", error: { name: "A", message: "" } }),
      record("odd", { type: "store", status: "FAILED" }),
      record("empty", { type: "store" }),
      record("ask", { type: "approval", output: { decision: "approved", by: "Ada" } }),
      record("pure", { type: "set" }),
      record("gone", { type: "gone" }),
      record("stopped", { status: "ABORTED" }),
    ];
    const given = {
      trigger: { body: {}, headers: {}, method: "POST", query: { a: "b" } },
      data: { a: 0 },
      inputs: {},
    };
    expect(finishedTest(run(records, given), named, new Redaction([]), nodeTypes)).toEqual({
      kind: "FlowTest",
      ...named,
      flowId: "flow_a",
      now: "1970-01-01T00:00:00.000Z",
      trigger: { body: {}, method: "POST", query: { a: "redacted 4" } },
      data: { a: 0 },
      answers: {
        same: { status: 200, body: "redacted 2" },
        "other[0]": { status: 200 },
        "other[1]": { $error: { name: "A", message: "" } },
        odd: { $error: { name: "NodeFailed", message: "" } },
        empty: {},
        ask: { decision: "approved", by: "redacted 3" },
      },
    });
    expect(
      finishedTest(run([], { inputs: { a_b: 1 } }), named, new Redaction([]), nodeTypes),
    ).not.toHaveProperty("answers");
  });

  it("expects what came of it", () => {
    const test = finishedTest(run([]), named, new Redaction([]), nodeTypes);
    const path = [
      { nodeKey: "a[0]", nodeId: "a" },
      { nodeKey: "a[1]", nodeId: "a" },
    ];
    const call = { nodeKey: "a", nodeId: "a", type: "store", attempt: 1, input: { key: "k" } };
    const common = { path, nodes: [], endedAtMs: 0 };
    expect(
      expectResult(test, { ...common, status: "COMPLETED", output: { x: 1 }, calls: [call] }).expect,
    ).toEqual({
      status: "COMPLETED",
      output: { x: 1 },
      path: ["a"],
      calls: { a: [{ key: "k" }] },
    });
    const error = { name: "A", message: "b", nodeId: "a" };
    expect(
      expectResult(test, {
        ...common,
        status: "FAILED",
        error,
        calls: Array.from({ length: 11 }, () => call),
      }).expect,
    ).toEqual({
      status: "FAILED",
      error: { name: "A", nodeId: "a" },
      path: ["a"],
      calls: { a: 11 },
    });
    expect(expectResult(test, { ...common, status: "COMPLETED", calls: [] }).expect).not.toHaveProperty(
      "calls",
    );
  });
});

describe("the picture of a flow", () => {
  const nodes = [
    { id: "start", type: "start" },
    { id: "each", type: "for-each", data: { label: 'A "long" label <that> goes on & on' } },
    { id: "call", type: "http-request", parentId: "each" },
    { id: "then", type: "set", parentId: "each" },
    { id: "done", type: "return" },
  ];
  const edges = [
    { source: "start", target: "each" },
    { source: "call", target: "then" },
    { source: "each", sourceHandle: "done", target: "done" },
  ];

  it("stands in columns, what is inside behind its container, and is the same every time", () => {
    const picture = drawFlow({ nodes, edges });
    expect(picture).toBe(drawFlow({ nodes, edges }));
    expect(picture).toContain(
      "<title>A &quot;long&quot; label &lt;that&gt; goes on &amp; on (for-each)</title>",
    );
    expect(picture.match(/<rect /g)).toHaveLength(5);
    expect(picture.match(/stroke-dasharray/g)).toHaveLength(1);
    expect(picture).toContain('viewBox="0 0 ');
  });

  it("is drawn of anything", () => {
    expect(drawFlow({ nodes: [], edges: [] })).toContain("<svg");
    const round = [
      { source: "start", target: "each" },
      { source: "each", target: "start" },
      { source: "each", target: "nobody" },
      { source: "nobody", target: "each" },
    ];
    expect(drawFlow({ nodes, edges: round })).toContain("</svg>");
  });
});
