// The whole suite, several times, beside processes that leave it little of the machine: a test that only passes on an
// idle one is found here. npm run test:loaded -- [--times 3] [--loops 6] [vitest arguments …]
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "3" }, loops: { type: "string", default: "6" } },
});
const VITEST = new URL("../node_modules/vitest/vitest.mjs", import.meta.url).pathname;

const children = new Set<ChildProcess>();
function start(args: readonly string[], stdio: "ignore" | "inherit"): ChildProcess {
  const child = spawn(process.execPath, args, { stdio });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}
const stop = () => {
  for (const child of children) child.kill(child.spawnargs.includes(LOOP) ? "SIGKILL" : "SIGTERM");
};
// Ends with whoever started it, also where that was killed.
const LOOP =
  "for (;;) { const end = Date.now() + 500; while (Date.now() < end); if (process.ppid === 1) break; }";
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stop();
    process.exitCode = 1;
  });
}
process.once("exit", stop);

for (let count = 0; count < Number(values.loops); count++) start(["-e", LOOP], "ignore");
const results: string[] = [];
for (let round = 1; round <= Number(values.times) && process.exitCode === undefined; round++) {
  const startedAtMs = performance.now();
  const [exitCode] = (await once(start([VITEST, "run", ...positionals], "inherit"), "exit")) as [number];
  const minutes = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
  results.push(`round ${round}: ${exitCode === 0 ? "passed" : "FAILED"} in ${minutes} minutes`);
  if (exitCode !== 0) process.exitCode = 1;
}
stop();
console.log(`\nbeside ${values.loops} busy processes\n${results.join("\n")}`);
