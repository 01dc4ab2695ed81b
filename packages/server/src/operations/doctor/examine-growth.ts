import { statfs } from "node:fs/promises";
import { lowestIdAt } from "../../domain/ids.ts";
import { readGrowth } from "../../storage/doctor/read-growth.ts";
import type { Db } from "../../storage/pool.ts";
import type { UntoldFinding } from "./finding.ts";

const DAY_MS = 86_400_000;
/** Assumed for a small run with its records and indexes, while there are too few to tell. */
const USUAL_RUN_BYTES = 4_000;
const ENOUGH_TO_TELL = 10_000;

export interface GrowthQuestion {
  readonly retentionDays: number;
  /** Of the built-in PostgreSQL; whose disk another one has cannot be asked. */
  readonly dataDirectory: string | undefined;
  readonly nowMs: number;
}

/** The disk budget: what the runs of the last day will have grown to when the first of them are forgotten. */
export async function examineGrowth(
  db: Db,
  { retentionDays, dataDirectory, nowMs }: GrowthQuestion,
): Promise<UntoldFinding> {
  const { databaseBytes, runs, recentRuns } = await readGrowth(db, lowestIdAt("run", nowMs - DAY_MS));
  const runBytes = runs >= ENOUGH_TO_TELL ? databaseBytes / runs : USUAL_RUN_BYTES;
  const dayBytes = recentRuns * runBytes;
  const today = { size: size(databaseBytes), runs: String(recentRuns) };
  const check = "disk budget";
  if (retentionDays === 0) {
    const values = { ...today, budget: size(dayBytes) };
    return { check, status: recentRuns > 0 ? "warn" : "ok", says: ["growth_unbounded"], values };
  }
  const budget = dayBytes * retentionDays;
  const values = { ...today, days: String(retentionDays), budget: size(budget) };
  const stats = dataDirectory === undefined ? undefined : await statfs(dataDirectory).catch(() => undefined);
  if (!stats || budget < stats.bavail * stats.bsize + databaseBytes)
    return { check, status: "ok", says: ["growth"], values };
  return { check, status: "warn", says: ["growth", "growth_too_large"], values };
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
