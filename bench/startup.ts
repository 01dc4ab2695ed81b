// From the command to the first answered request, on an empty data directory and on one that has been used;
// and the memory of the process when it has nothing to do. Bars: 4 s, 1.5 s, 150 MB.
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startNode } from "./support/children.ts";
import { freePort } from "./support/free-port.ts";

const MILLRACE = fileURLToPath(import.meta.resolve("../packages/server/bin/millrace.js"));
const directory = await mkdtemp(join(tmpdir(), "millrace-startup-"));

async function start(): Promise<{ seconds: number; megabytes: number }> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = startNode(MILLRACE, ["start"], {
    env: { PORT: String(port), MILLRACE_DATA_DIR: join(directory, "data") },
  });
  child.process.stdout!.resume();
  while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200)
    await sleep(10);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(3_000);
  const status = await readFile(`/proc/${child.process.pid}/status`, "utf8");
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  child.process.kill("SIGTERM");
  await once(child.process, "exit");
  return { seconds, megabytes };
}

try {
  const first = await start();
  const later = await start();
  console.log(`first start   ${first.seconds.toFixed(2)} s  (bar 4 s)`);
  console.log(`later start   ${later.seconds.toFixed(2)} s  (bar 1.5 s)`);
  console.log(`idle memory   ${later.megabytes.toFixed(0)} MB  (bar 150 MB)`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
