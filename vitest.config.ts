import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/tests/**/*.test.ts"],
    globalSetup: ["packages/server/tests/support/global-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    // They only bound hanging: a crowded machine takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
