import { expect, test } from "vitest";
import type { Case } from "./case.ts";
import { compare } from "./compare.ts";
import type { CallPart, Certainty, ChildPart, RunExpectation } from "./interpreter/expectation.ts";
import { Unknown } from "./interpreter/values.ts";

const torture: Case = {
  root: { steps: [], returns: true },
  children: [],
  ending: undefined,
  maxAttempts: 1,
};
const lanes = ["ask[0]", "ask[1]"];

/** Two rounds at once; each sends a moment that nobody can foretell, and returns it. */
const expected: RunExpectation = {
  at: "root",
  endings: lanes.map((key) => ({ kind: "return", value: { v: new Unknown(key) } })),
  parts: lanes.map((key): CallPart => ({
    kind: "call",
    certainty: "maybe",
    id: `root:${key}`,
    key,
    body: { v: new Unknown(key) },
    count: 1,
    after: new Set(),
  })),
  past: new Set(),
};

function faultsOf(returned: string): string[] {
  const run = { at: "root", runId: "run_1", status: "COMPLETED", output: { v: returned }, losses: 0 };
  const calls = lanes.map((key, number) => {
    const body = JSON.stringify({ v: `t${number}` });
    return { at: "root", runId: "run_1", key, body, number, atMs: number, lateMs: 0 };
  });
  return compare(torture, expected, {
    runs: [{ ...run, records: new Map() }],
    knowsChildren: true,
    calls,
    faults: [],
  });
}

test("whichever of two rounds returns first, it returns what it has sent", () => {
  expect(faultsOf("t0")).toEqual([]);
  expect(faultsOf("t1")).toEqual([]);
  expect(faultsOf("t2")).toEqual([expect.stringContaining("root: ended COMPLETED")]);
});

/** A child sends; then its parent does. Where the child is a maybe, it may be cancelled before its end. */
function lateFaultsOf(childCertainty: Certainty, afterMs: number): string[] {
  const call = (at: string, after: readonly string[]): CallPart => ({
    kind: "call",
    certainty: "always",
    id: `${at}:ask`,
    key: "ask",
    body: null,
    count: 1,
    after: new Set(after),
  });
  const ends = { endings: [{ kind: "return", value: null }], past: new Set<string>() } as const;
  const child: ChildPart = {
    kind: "child",
    key: "child",
    count: 1,
    run: { ...ends, at: "child", parts: [call("child", [])] },
    waits: true,
    certainty: childCertainty,
  };
  const sent = ["root", "child"].map((at, number) => {
    return { at, runId: at, key: "ask", body: "null", number, atMs: number * afterMs, lateMs: 0 };
  });
  const run = { status: "COMPLETED", output: null, losses: 0, records: new Map() };
  return compare(
    torture,
    { ...ends, at: "root", parts: [child, call("root", ["child:ask"])] },
    { runs: sent.map(({ at }) => ({ ...run, at, runId: at })), knowsChildren: true, calls: sent, faults: [] },
  );
}

test("a child that may be cancelled may send until its worker has heard of that, and no other", () => {
  expect(lateFaultsOf("maybe", 50)).toEqual([]);
  expect(lateFaultsOf("maybe", 3_500)).toEqual([expect.stringContaining("called 3500 ms after root:ask")]);
  expect(lateFaultsOf("always", 50)).toEqual([expect.stringContaining("called 50 ms after root:ask")]);
});
