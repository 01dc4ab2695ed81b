import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The search for stalls measures the service for a minute: after everything that is quick to fail. */
class StallsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSearch = ({ moduleId }: TestSpecification) => moduleId.includes("/tests/stalls/");
    return [...sorted.filter((file) => !isSearch(file)), ...sorted.filter(isSearch)];
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/tests/**/*.test.ts"],
    globalSetup: ["packages/server/tests/support/global-setup.ts"],
    sequence: { sequencer: StallsLast },
    pool: "forks",
    maxWorkers: 2,
    // They only bound hanging: a crowded machine takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
