import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessSize {
  readonly openFiles: number;
  readonly residentMegabytes: number;
}

/** What the system keeps for a process; nothing to compare where there is no /proc. */
export async function sizeOf(pid: number): Promise<ProcessSize> {
  if (process.platform !== "linux") return { openFiles: 0, residentMegabytes: 0 };
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return {
    openFiles: (await readdir(`/proc/${pid}/fd`)).length,
    residentMegabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
}

const MAX_MS = 20_000;

/** The size once no more files are open than so many; or what it still is after a while. */
export async function sizeAfter(pid: number, maxOpenFiles: number): Promise<ProcessSize> {
  const endAtMs = performance.now() + MAX_MS;
  for (;;) {
    const size = await sizeOf(pid);
    if (size.openFiles <= maxOpenFiles || performance.now() > endAtMs) return size;
    await sleep(50);
  }
}
