import { describe, expect, it } from "vitest";
import { StallJudge } from "../../src/lifecycle/watchdog/stall-judge.ts";
import {
  STALL_MEMORY_BYTES,
  StallMemory,
  toLabel,
  type Work,
} from "../../src/lifecycle/watchdog/stall-memory.ts";

const TICK_MS = 100;
const run: Work = {
  kind: "run",
  organizationId: "org_a",
  flowId: "flow_a",
  runId: "run_1",
  nodeKey: "loop[2].x[0]",
};

interface Tick {
  readonly beats: number;
  readonly afterMs?: number;
  readonly isDebugged?: boolean;
  readonly work?: Work;
}

/** What the judge says in the end, after a first beat at time 0. */
function judge(ticks: readonly Tick[]): { work: Work | undefined } | undefined {
  const judge = new StallJudge({ tickMs: TICK_MS, limitMs: 1_000 });
  let nowMs = 5_000;
  let said = judge.tick(nowMs, { beats: 0, isDebugged: false, work: undefined });
  for (const { beats, afterMs = TICK_MS, isDebugged = false, work } of ticks) {
    nowMs += afterMs;
    said ??= judge.tick(nowMs, { beats, isDebugged, work });
  }
  return said;
}

const still = (count: number, tick: Partial<Tick> = {}): Tick[] =>
  Array.from({ length: count }, () => ({ beats: 0, ...tick }));

describe("a loop that stands still", () => {
  it("is found once the limit has passed, and not before", () => {
    expect(judge(still(10))).toBeUndefined();
    expect(judge(still(11))).toEqual({ work: undefined });
  });

  it("is blamed on the work last seen while it stood", () => {
    expect(judge(still(11, { work: run }))).toEqual({ work: run });
    expect(judge([...still(5, { work: run }), ...still(6)])).toEqual({ work: run });
  });

  it("is not blamed on work seen before it stood", () => {
    expect(judge([{ beats: 0, work: run }, { beats: 1 }, ...still(11, { beats: 1 })])).toEqual({
      work: undefined,
    });
  });
});

describe("a loop that only seems to stand still", () => {
  it("has beaten in between", () => {
    expect(judge([...still(9), { beats: 1 }, ...still(9, { beats: 1 })])).toBeUndefined();
  });

  it("was seen by a watchdog that did not get to run itself", () => {
    expect(judge([...still(9), { beats: 0, afterMs: 60_000 }, ...still(10)])).toBeUndefined();
  });

  it("is held by a debugger", () => {
    expect(judge(still(50, { isDebugged: true }))).toBeUndefined();
  });
});

describe("what is under way", () => {
  it("crosses to the other thread whole, however often it changes", () => {
    const shared = new SharedArrayBuffer(STALL_MEMORY_BYTES);
    const [writer, reader] = [new StallMemory(shared), new StallMemory(shared)];
    expect(reader.read()).toBeUndefined();
    writer.begin(toLabel(run), run.nodeKey!);
    expect(reader.read()).toEqual(run);
    const route: Work = { kind: "route", route: "listRuns", requestId: "req_1" };
    writer.begin(toLabel(route), "");
    expect(reader.read()).toEqual(route);
    const flow: Work = { kind: "flow", organizationId: "org_ä", flowId: "flow_a" };
    writer.begin(toLabel(flow), "");
    expect(reader.read()).toEqual(flow);
    writer.end();
    expect(reader.read()).toBeUndefined();
  });

  it("is cut off rather than written past its place", () => {
    const shared = new SharedArrayBuffer(STALL_MEMORY_BYTES);
    new StallMemory(shared).begin(toLabel(run), "x".repeat(10_000));
    expect(new StallMemory(shared).read()).toMatchObject({
      runId: "run_1",
      nodeKey: expect.stringMatching(/^x{100,}$/),
    });
  });
});
