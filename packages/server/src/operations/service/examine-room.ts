import { examineDisk } from "../doctor/examine-disk.ts";
import { examineGrowth } from "../doctor/examine-growth.ts";
import { examineTransactions } from "../doctor/examine-transactions.ts";
import type { UntoldFinding } from "../doctor/finding.ts";
import type { StatisticsDesk } from "../statistics/statistics-desk.ts";

export interface RoomContext {
  readonly statistics: StatisticsDesk;
  readonly retentionDays: number;
  /** Of the built-in PostgreSQL. */
  readonly dataDirectory: string | undefined;
  readonly nowMs: () => number;
}

/** What `millrace doctor` says of disk and growth. */
export async function examineRoom({
  statistics,
  retentionDays,
  dataDirectory,
  nowMs,
}: RoomContext): Promise<UntoldFinding[]> {
  const growth = { retentionDays, dataDirectory, nowMs: nowMs() };
  const disk = dataDirectory === undefined ? [] : [await examineDisk(dataDirectory)];
  const database = await statistics.ask("room", async (db) => [
    await examineGrowth(db, growth),
    await examineTransactions(db),
  ]);
  return [...disk, ...database];
}
