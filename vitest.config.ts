import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The searches take a minute each: after everything that is quick to fail, and the one that measures time last. */
class SearchesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isIn = (directory: string) => (file: TestSpecification) =>
      file.moduleId.includes(`/tests/${directory}/`);
    const searches = ["torture", "stalls"].map(isIn);
    const others = sorted.filter((file) => !searches.some((isSearch) => isSearch(file)));
    return [...others, ...searches.flatMap((isSearch) => sorted.filter(isSearch))];
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/tests/**/*.test.ts"],
    globalSetup: ["packages/server/tests/support/global-setup.ts"],
    sequence: { sequencer: SearchesLast },
    pool: "forks",
    maxWorkers: 2,
    // They only bound hanging: a crowded machine takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
