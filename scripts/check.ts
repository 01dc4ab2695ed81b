// Every check, one after the other, so that the first fault is the last thing on the screen.
// `npm run check -- --skip test` leaves the named steps out.
import { spawnSync } from "node:child_process";

const steps = [
  "format:check",
  "lint",
  "types",
  "deadcode",
  "coverage",
  "packages",
  "size",
  "release:check",
  "test",
];
const skipped = new Set(process.argv.slice(2));

for (const step of steps) {
  if (skipped.has(step)) continue;
  const startedAt = performance.now();
  const { status } = spawnSync("npm", ["run", "--silent", step], { stdio: "inherit" });
  if (status !== 0) {
    console.error(`✗ ${step} failed; run it alone with: npm run ${step}`);
    process.exit(1);
  }
  console.log(`✓ ${step} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}
