import { readFile } from "node:fs/promises";
import type { Pool } from "pg";

const TICKS_PER_SECOND = 100;

/** CPU time of a process and of its database sessions. Waiting for a busy machine is not in it, so it is steadier than any rate. */
export interface CpuTime {
  readonly processMs: number;
  readonly postgresMs: number;
}

export type CpuSnapshot = ReadonlyMap<number, number>;

/** CPU milliseconds by process id: the process and its database sessions. Undefined where there is no /proc. */
export async function readCpu(pid: number, pool: Pool): Promise<CpuSnapshot | undefined> {
  if (process.platform !== "linux") return undefined;
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench'`,
  );
  const pids = [pid, ...rows.map((row) => row.pid)];
  return new Map(await Promise.all(pids.map(async (pid) => [pid, await cpuMs(pid)] as const)));
}

/** Sessions that ended in between are not counted; those that began are. */
export function cpuBetween(pid: number, before: CpuSnapshot, after: CpuSnapshot): CpuTime {
  let postgresMs = 0;
  for (const [session, ms] of after) if (session !== pid) postgresMs += ms - (before.get(session) ?? 0);
  return { processMs: (after.get(pid) ?? 0) - (before.get(pid) ?? 0), postgresMs };
}

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name may hold spaces; the fields behind it do not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / TICKS_PER_SECOND;
}
