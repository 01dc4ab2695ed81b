import { defineConfig } from "vitest/config";

/** How fast the console is, as CPU of a real browser: `npm run console:budgets`. Not part of the tests. */
export default defineConfig({
  test: {
    include: ["apps/console/tests/budgets/*.budget.ts"],
    globalSetup: ["packages/server/tests/support/global-setup.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
