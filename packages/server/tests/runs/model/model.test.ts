import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { commands } from "./commands.ts";
import { RealRuns } from "./real-runs.ts";
import { RunModel } from "./run-model.ts";

// The usual run is the same every time. A night's run: MILLRACE_MODEL_RUNS=5000 MILLRACE_MODEL_SEED=$RANDOM;
// one that failed: seed and MILLRACE_MODEL_PATH as it printed them.
const runs = Number(process.env["MILLRACE_MODEL_RUNS"] ?? 100);
const seed = Number(process.env["MILLRACE_MODEL_SEED"] ?? 1);
const path = process.env["MILLRACE_MODEL_PATH"];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(1);
});
afterAll(() => database.drop());

it("whatever happens in whatever order, runs are as the rules say after every step", async () => {
  const covered = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (steps) => {
      const real = new RealRuns(database.pool);
      const model = new RunModel();
      await real.open(model.nowMs);
      try {
        await fc.asyncModelRun(() => ({ model, real }), steps);
      } finally {
        for (const { status } of model.runs) covered.add(status);
        await real.close();
      }
    }),
    {
      numRuns: runs,
      interruptAfterTimeLimit: 25_000 * Math.max(1, runs / 100),
      seed,
      ...(path !== undefined && { path }),
    },
  );
  // A generator that never gets anywhere proves nothing.
  expect([...covered].toSorted()).toEqual([
    "CANCELED",
    "COMPLETED",
    "CRASHED",
    "EXECUTING",
    "FAILED",
    "PAUSED",
    "TIMED_OUT",
    "WAITING",
  ]);
}, 600_000);
