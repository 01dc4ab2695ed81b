import { runStatuses } from "@millrace/contract/run-status";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { commands } from "./commands.ts";
import { RealRuns } from "./real-runs.ts";
import { RunModel } from "./run-model.ts";

// The usual run is the same every time. A night's run: MILLRACE_MODEL_RUNS=5000 MILLRACE_MODEL_SEED=$RANDOM;
// one that failed: seed and MILLRACE_MODEL_PATH as it printed them.
const runs = Number(process.env["MILLRACE_MODEL_RUNS"] ?? 150);
const seed = Number(process.env["MILLRACE_MODEL_SEED"] ?? 1);
const path = process.env["MILLRACE_MODEL_PATH"];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(1);
});
afterAll(() => database.drop());

const reached = new Set<string>();

it("whatever happens in whatever order, runs are as the rules say after every step", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (steps) => {
      const real = new RealRuns(database.pool);
      const model = new RunModel();
      await real.open(model.nowMs);
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
      } finally {
        for (const { status } of model.runs) reached.add(status);
        await real.close();
      }
    }),
    {
      numRuns: runs,
      interruptAfterTimeLimit: 1_000 * Math.max(60, runs),
      seed,
      ...(path !== undefined && { path }),
    },
  );
}, 600_000);

// A generator that never gets anywhere proves nothing.
it("and what happened has brought runs to every status", () => {
  expect([...reached].toSorted()).toEqual([...runStatuses].toSorted());
});
