import { expect, test } from "vitest";
import type { Case } from "./case.ts";
import { compare } from "./compare.ts";
import type { CallPart, RunExpectation } from "./interpreter/expectation.ts";
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
