import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 250;

/** Memory a process holds now; NaN where there is no /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** The most memory a process holds while `work` lasts. */
export async function peakResidentBytes<Result>(
  pid: number,
  work: Promise<Result>,
): Promise<{ result: Result; peakBytes: number }> {
  const done = new AbortController();
  const ended = work.finally(() => done.abort());
  let peakBytes = 0;
  while (!done.signal.aborted) {
    peakBytes = Math.max(peakBytes, await residentBytes(pid));
    await Promise.race([sleep(LOOK_MS), ended]);
  }
  return { result: await ended, peakBytes };
}
