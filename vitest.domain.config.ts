import { defineConfig } from "vitest/config";

/** The tests of the pure rules, without a database: every branch of domain/ must be taken by one of them. */
export default defineConfig({
  test: {
    include: ["packages/server/tests/{domain,flow}/**/*.test.ts"],
    // They search for surprises with random input; what they happen to reach says nothing.
    exclude: ["**/any-*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    testTimeout: 120_000,
    coverage: {
      enabled: true,
      provider: "v8",
      include: ["packages/server/src/domain/**"],
      reporter: [["text", { skipFull: true }]],
      thresholds: { branches: 100 },
    },
  },
});
