import type { BacktestChange } from "@millrace/contract/manage/replays";
import { describe, expect, it } from "vitest";
import { asRecorded, compareReplay, isSameGap } from "../../src/domain/backtest/compare-replay.ts";
import { evaluatedNodes } from "../../src/domain/backtest/evaluated-nodes.ts";
import { RecordedAnswers } from "../../src/domain/backtest/recorded-answers.ts";
import { Tally } from "../../src/domain/backtest/tally.ts";
import type { ReplayCall, ReplayedNode, ReplayResult } from "../../src/domain/replay.ts";
import type { RunNodeRecord } from "../../src/domain/run-record.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";

const record = (more: Partial<RunNodeRecord> = {}): RunNodeRecord => ({
  nodeKey: "fetch[0]",
  nodeId: "fetch",
  type: "http-request",
  status: "COMPLETED",
  startedAt: 1,
  endedAt: 5,
  attempts: 1,
  input: { url: "a" },
  output: { status: 200 },
  handle: "out",
  log: [],
  ...more,
});
const call = (more: Partial<ReplayCall> = {}): ReplayCall => ({
  nodeKey: "fetch[0]",
  nodeId: "fetch",
  type: "http-request",
  attempt: 1,
  input: { url: "a" },
  ...more,
});

describe("what a recorded run answers", () => {
  it("is what the same node was answered to the same input, in whichever round", () => {
    const answers = new RecordedAnswers([
      record(),
      record({ nodeKey: "fetch[1]", input: { url: "b" }, output: { status: 201 }, endedAt: 9 }),
    ]);
    expect(finishSliced(answers.ofSameInput(call()))).toEqual({ output: { status: 200 }, atMs: 5 });
    expect(finishSliced(answers.ofSameInput(call({ nodeKey: "fetch[0]", input: { url: "b" } })))).toEqual({
      output: { status: 201 },
      atMs: 9,
    });
    expect(finishSliced(answers.ofSameInput(call({ input: { url: "c" } })))).toBeUndefined();
    expect(finishSliced(answers.ofSameInput(call({ nodeKey: "other", nodeId: "other" })))).toBeUndefined();
    expect(finishSliced(answers.ofSameInput(call({ type: "sql" })))).toBeUndefined();
    expect(finishSliced(answers.ofNode(call({ input: { url: "c" } })))).toEqual({
      output: { status: 200 },
      atMs: 5,
    });
    expect(finishSliced(answers.ofNode(call({ nodeKey: "other", nodeId: "other" })))).toBeUndefined();
  });

  it("is a person's decision whatever the message, and a wait's end only where it was the same", () => {
    const answers = new RecordedAnswers([
      record({ nodeKey: "ask", nodeId: "ask", type: "approval", output: { decision: "approved" } }),
      record({ nodeKey: "pause", nodeId: "pause", type: "wait", input: { duration: "1d" } }),
    ]);
    const ask = call({ nodeKey: "ask", nodeId: "ask", type: "approval", input: { message: "new" } });
    expect(finishSliced(answers.ofSameInput(ask))).toMatchObject({ output: { decision: "approved" } });
    expect(finishSliced(answers.ofSameInput({ ...ask, nodeKey: "ask[1]" }))).toBeUndefined();
    const pause = call({ nodeKey: "pause", nodeId: "pause", type: "wait", input: { duration: "2d" } });
    expect([finishSliced(answers.ofSameInput(pause)), finishSliced(answers.ofNode(pause))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(finishSliced(answers.ofNode({ ...pause, input: { duration: "1d" } }))).toMatchObject({ atMs: 5 });
  });

  it("is a failure at its last attempt's time, and unknown where it was stopped", () => {
    const failed = new RecordedAnswers([
      record({ status: "FAILED", attempts: 2, error: { name: "A", message: "b" } }),
    ]);
    expect(finishSliced(failed.ofSameInput(call()))).toEqual({
      error: { name: "A", message: "b", mayPass: true },
    });
    const busy = record({ status: "FAILED", error: { name: "A", message: "The server answered 503: no" } });
    expect(finishSliced(new RecordedAnswers([busy]).ofSameInput(call()))).toMatchObject({
      error: { status: 503 },
    });
    expect(finishSliced(failed.ofSameInput(call({ attempt: 2 })))).toEqual({
      error: { name: "A", message: "b" },
      atMs: 5,
    });
    const { error: _error, output: _output, input: _input, ...bare } = record({ status: "FAILED" });
    expect(finishSliced(new RecordedAnswers([bare]).ofSameInput(call({ input: {} })))).toEqual({
      error: { name: "NodeFailed", message: "" },
      atMs: 5,
    });
    expect(
      finishSliced(new RecordedAnswers([{ ...bare, status: "COMPLETED" }]).ofSameInput(call({ input: {} }))),
    ).toEqual({
      output: {},
      atMs: 5,
    });
    expect(finishSliced(new RecordedAnswers([record({ status: "ABORTED" })]).ofSameInput(call()))).toEqual({
      unknown: true,
      atMs: 6,
    });
  });
});

const replayed = (more: Partial<ReplayedNode> = {}): ReplayedNode => ({
  ...record(),
  input: { url: "a" },
  output: { status: 200 },
  handle: "out",
  error: undefined,
  ...more,
});
const result = (more: Partial<ReplayResult> = {}): ReplayResult => ({
  status: "COMPLETED",
  output: { a: 1 },
  path: [{ nodeKey: "fetch[0]", nodeId: "fetch" }],
  nodes: [replayed()],
  calls: [call()],
  endedAtMs: 0,
  ...more,
});

describe("a replay beside its run", () => {
  const recorded = { status: "COMPLETED", output: { a: 1 } as unknown, error: null, records: [record()] };
  const compare = (more: Partial<ReplayResult>, run: Partial<typeof recorded> | object = {}) =>
    finishSliced(compareReplay({ ...recorded, ...run }, result(more), nodeTypes));

  it("is no change where all is the same", () => {
    expect(compare({})).toBeUndefined();
    const error = { name: "A", message: "b", nodeId: "fetch" };
    expect(
      compare({ status: "FAILED", output: undefined!, error }, { status: "FAILED", output: null, error }),
    ).toBeUndefined();
  });

  it("names what changes", () => {
    expect(compare({ output: { a: 2 } })).toMatchObject({ output: [{ path: "a", before: "1", after: "2" }] });
    const failed = {
      status: "FAILED",
      output: undefined!,
      error: { name: "A", message: "b", nodeId: "x" },
    } as const;
    expect(compare(failed)).toMatchObject({
      after: "FAILED",
      error: { before: undefined, after: "x: A: b" },
    });
    expect(compare({}, { error: { name: "A", message: "b" } })).toMatchObject({
      error: { before: ": A: b", after: undefined },
    });
    expect(compare({ nodes: [replayed({ handle: "error" })] })?.path).toEqual([
      { nodeKey: "fetch[0]", change: "handle", before: "out", after: "error" },
    ]);
    expect(compare({ path: [], nodes: [], calls: [] })).toMatchObject({
      path: [{ nodeKey: "fetch[0]", change: "removed" }],
      calls: [{ nodeKey: "fetch[0]", change: "dropped", input: { url: "a" } }],
    });
    const more = { path: [...result().path, { nodeKey: "new", nodeId: "new" }] };
    expect(compare(more)?.path).toEqual([{ nodeKey: "new", change: "added" }]);
    expect(
      compare({}, { records: [record({ handle: undefined! }), record({ nodeKey: "x", type: "gone" })] })
        ?.path,
    ).toEqual([
      { nodeKey: "fetch[0]", change: "handle", before: undefined, after: "out" },
      { nodeKey: "x", change: "removed" },
    ]);
  });

  it("is unknown behind a call that was never made", () => {
    expect(
      compare({ status: "UNANSWERED", output: undefined!, unanswered: call({ input: { url: "z" } }) }),
    ).toEqual({
      before: "COMPLETED",
      after: "UNKNOWN",
      output: [],
      path: [],
      calls: [{ nodeKey: "fetch[0]", change: "new", input: { url: "z" } }],
    });
  });
});

describe("two replays of one run", () => {
  it("are compared like a replay with its record", () => {
    expect(finishSliced(compareReplay(asRecorded(result()), result(), nodeTypes))).toBeUndefined();
    const error = { name: "A", message: "b", nodeId: "x" };
    const failed = { ...result({ status: "FAILED", error }), output: undefined! };
    expect(asRecorded(failed)).toMatchObject({ status: "FAILED", output: null, error });
    const gap = result({ status: "UNANSWERED", unanswered: call() });
    expect(asRecorded(gap)).toMatchObject({ status: "UNKNOWN" });
    expect(finishSliced(isSameGap(gap, gap))).toBe(true);
    expect(finishSliced(isSameGap(gap, { ...gap, unanswered: call({ input: { url: "z" } }) }))).toBe(false);
    expect(finishSliced(isSameGap(gap, { ...gap, unanswered: call({ nodeKey: "fetch[1]" }) }))).toBe(false);
    expect([finishSliced(isSameGap(gap, result())), finishSliced(isSameGap(result(), gap))]).toEqual([
      false,
      false,
    ]);
  });
});

describe("evaluated nodes", () => {
  const evaluate = (records: readonly RunNodeRecord[], more: Partial<ReplayResult> = {}) =>
    finishSliced(evaluatedNodes(records, result(more), nodeTypes));

  it("stand beside what was recorded", () => {
    expect(evaluate([record()])).toMatchObject([
      { source: "recorded", changed: false, inputChanged: false, output: { status: 200 } },
    ]);
    expect(evaluate([record({ input: { url: "z" } })])).toMatchObject([
      { changed: false, inputChanged: true },
    ]);
    expect(evaluate([])).toMatchObject([{ changed: true, inputChanged: true }]);
    const pure = replayed({
      type: "set",
      output: undefined,
      input: undefined,
      handle: undefined,
      error: { name: "A", message: "b" },
    });
    expect(evaluate([record({ handle: undefined! })], { nodes: [pure], calls: [] })).toEqual([
      {
        nodeKey: "fetch[0]",
        nodeId: "fetch",
        type: "set",
        status: "COMPLETED",
        source: "evaluated",
        error: { name: "A", message: "b" },
        changed: true,
        inputChanged: false,
      },
    ]);
    const ask = replayed({ type: "approval" });
    expect(evaluate([], { nodes: [ask] })).toMatchObject([{ source: "recorded" }]);
    expect(evaluate([], { nodes: [replayed({ type: "gone" })] })).toMatchObject([{ source: "evaluated" }]);
  });

  it("leave out what is too large together, and list calls that are open", () => {
    const large = replayed({ output: { text: "x".repeat(3_000_000) } });
    const nodes = [large, { ...large, nodeKey: "fetch[1]" }];
    const [first, second, open] = evaluate([], { nodes, calls: [call(), call({ nodeKey: "fetch[2]" })] });
    expect([first!.leftOut, second!.leftOut, second!.output]).toEqual([undefined, true, undefined]);
    expect(open).toMatchObject({ nodeKey: "fetch[2]", source: "unknown", status: "PAUSED" });
  });
});

describe("the tally", () => {
  const change = (runId: string, more: Partial<BacktestChange> = {}): BacktestChange => ({
    runId,
    version: "1",
    before: "COMPLETED",
    after: "COMPLETED",
    output: [],
    path: [
      { nodeKey: "a[0]", change: "added" },
      { nodeKey: "a[1]", change: "added" },
    ],
    calls: [{ nodeKey: "b", change: "new" }],
    ...more,
  });

  it("counts a node once for each run, newest runs first, and lists so many", () => {
    const tally = new Tally();
    for (let index = 100; index < 220; index += 1) tally.add(change(`run_${index}`));
    tally.pass();
    for (let index = 0; index < 120; index += 1) tally.skip(`run_${index}`, "too large");
    for (let index = 0; index < 120; index += 1) tally.note(`run_${index}`);
    const { runs, changed, unchanged, skipped, raced, nodes, changes } = tally.result();
    expect(raced.length).toBe(100);
    expect([runs, changed, unchanged, skipped.length, changes.length]).toEqual([121, 120, 1, 100, 100]);
    expect(nodes).toEqual([
      { nodeId: "a", added: 120, removed: 0, handle: 0, calls: 0 },
      { nodeId: "b", added: 0, removed: 0, handle: 0, calls: 120 },
    ]);
    expect(changes[0]!.runId > changes[1]!.runId).toBe(true);
  });

  it("leaves out inputs that are large", () => {
    const tally = new Tally();
    const calls = [
      { nodeKey: "b", change: "new" as const, input: { a: "x".repeat(20_000) } },
      { nodeKey: "c", change: "new" as const, input: { a: 1 } },
    ];
    tally.add(change("run_1", { calls }));
    tally.add(change("run_0"));
    expect(tally.result().changes[0]!.calls).toEqual([{ nodeKey: "b", change: "new" }, calls[1]]);
  });
});
