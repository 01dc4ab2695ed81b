import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What fails should fail soon: pure tests come first, then the others, then those that take a minute or more. Of these the
 * longest come first, so that no worker has one left to do alone.
 */
const QUICK = /\/tests\/(architecture|domain|flow|flow-runner|documents|nodes)\//;
const SLOW = [/\/stalls\//, /\/torture\//, /\/chaos\//, /\/tests\/(failover|scale-out|packages|fuzz)\//];
const TESTS = ["packages/*/tests/**/*.test.ts", "apps/*/tests/**/*.test.ts"];
/**
 * Whatever leaves nothing behind in its process: with the modules loaded by the file before it, a file takes half the time.
 * The others measure their process, replace modules or globals, or are few.
 */
const SHARED =
  "packages/server/tests/{agent-chat,apply,architecture,cli,deploy,docs,documents,domain,events,examples,flow,flow-runner,flow-tests,flows-end-to-end,fork,http,jobs,keys,manage,mcp,nodes,runs,runs-read,storage,webhooks}/**/*.test.ts";
const ALONE = "packages/server/tests/chaos/*.test.ts";
const STAGE_MS = 3_600_000;
const UNKNOWN_MS = 5_000;

/** What failed last time comes first, unless it is slow; within a stage, the shortest files. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => this.#place(one) - this.#place(other));
  }

  #place(file: TestSpecification): number {
    const last = this.ctx.cache.getTestSpecificationResult(file);
    const slow = SLOW.findIndex((path) => path.test(file.moduleId));
    if (last?.failed && slow === -1) return -1;
    const stage = QUICK.test(file.moduleId) ? 0 : slow + 2;
    return stage * STAGE_MS + (last?.duration ?? UNKNOWN_MS);
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "shared",
          include: [SHARED],
          isolate: false,
          setupFiles: ["packages/server/tests/support/load-statements.ts"],
        },
      },
      { test: { name: "suite", include: TESTS, exclude: [...configDefaults.exclude, SHARED, ALONE] } },
      // Its promises are limits of seconds, which a machine shared with two other files does not keep.
      { test: { name: "alone", include: [ALONE], sequence: { groupOrder: 1 } } },
    ],
    globalSetup: ["packages/server/tests/support/global-setup.ts"],
    sequence: { sequencer: QuickFirst },
    pool: "forks",
    // Most files wait more than they compute: three keep two cores busy.
    maxWorkers: 3,
    // They only bound hanging: a crowded machine takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
