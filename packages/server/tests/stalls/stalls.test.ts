import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { Arena } from "./arena/arena.ts";
import { kinds } from "./case.ts";
import { limits } from "./measure.ts";
import { describeFinding, Report } from "./report.ts";
import { search } from "./search.ts";

const SEED = 20_260_101;
const SEARCH_MS = 30_000;
const MAX_SHRINKS = 15;

// Machines differ in speed and in when their memory is cleaned up. What this guards against takes seconds and gigabytes,
// or ends the process; the strict figures are the command's.
Object.assign(limits, { stallCpuMs: 400, megabytes: 1_024, totalCpuMs: 6_000 });

let arena: Arena;

beforeAll(async () => {
  arena = await Arena.open({ newDatabase: () => createTestDatabase(4) });
});
afterAll(() => arena?.close());

describe(`whatever anyone sends or answers (seed ${SEED})`, () => {
  it(
    "neither stalls the service, nor fills its memory, nor ends it",
    { timeout: 10 * SEARCH_MS },
    async () => {
      const report = new Report();
      await search(arena, {
        kinds,
        seed: SEED,
        endAtMs: performance.now() + SEARCH_MS,
        maxShrinks: MAX_SHRINKS,
        skipSlow: true,
        ...report.listeners,
      });
      expect(report.findings.map(describeFinding)).toEqual([]);
      // A search that is refused at every door would find nothing.
      // Those with named cases come first; on a slow machine the time may end before the last of the others.
      expect(report.kinds().length).toBeGreaterThan(kinds.length / 2);
    },
  );
});
