// From the command to the first answered request, on an empty data directory and on one that has been used;
// and the memory of the service and of its supervisor when they have nothing to do. Bars: 4 s, 1.5 s, 150 MB.
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startNode } from "./support/children.ts";
import { freePort } from "./support/free-port.ts";

const MILLRACE = fileURLToPath(import.meta.resolve("../packages/server/bin/millrace.js"));
/** V8 waits so long before it takes a process for idle, and gives back what it does not need. */
const UNTIL_COLLECTED_MS = 20_000;
const directory = await mkdtemp(join(tmpdir(), "millrace-startup-"));

async function residentMegabytes(pid: number | string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function start(): Promise<{ seconds: number; megabytes: number; supervisorMegabytes: number }> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = startNode(MILLRACE, ["start"], {
    env: { PORT: String(port), MILLRACE_DATA_DIR: join(directory, "data") },
  });
  child.process.stdout!.resume();
  while ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status !== 200)
    await sleep(10);
  const seconds = (performance.now() - startedAt) / 1000;
  await sleep(UNTIL_COLLECTED_MS);
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  const megabytes = await residentMegabytes(children.trim().split(" ")[0]!);
  const supervisorMegabytes = await residentMegabytes(child.pid);
  child.process.kill("SIGTERM");
  await once(child.process, "exit");
  return { seconds, megabytes, supervisorMegabytes };
}

try {
  const first = await start();
  const later = await start();
  console.log(`first start   ${first.seconds.toFixed(2)} s  (bar 4 s)`);
  console.log(`later start   ${later.seconds.toFixed(2)} s  (bar 1.5 s)`);
  console.log(`idle memory   ${later.megabytes.toFixed(0)} MB  (bar 150 MB)`);
  console.log(`supervisor    ${later.supervisorMegabytes.toFixed(0)} MB`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
