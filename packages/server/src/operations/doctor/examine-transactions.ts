import {
  findOldestTransaction,
  WARN_TRANSACTION_SECONDS,
} from "../../storage/doctor/find-oldest-transaction.ts";
import type { Db } from "../../storage/pool.ts";
import type { UntoldFinding } from "./finding.ts";

/** The service's own come and go all the time. */
const WORTH_TELLING_SECONDS = 10;

/** A transaction left open makes every claim walk over what can no longer be cleaned up. */
export async function examineTransactions(
  db: Db,
  warnSeconds = WARN_TRANSACTION_SECONDS,
): Promise<UntoldFinding> {
  const check = "transactions";
  const oldest = await findOldestTransaction(db);
  if (!oldest || oldest.seconds < Math.min(WORTH_TELLING_SECONDS, warnSeconds))
    return { check, status: "ok", says: ["no_transaction"] };
  const { owner, remedy, seconds } = oldest;
  const values = { owner, remedy, seconds: String(Math.round(seconds)) };
  if (seconds < warnSeconds) return { check, status: "ok", says: ["transaction"], values };
  return { check, status: "warn", says: ["transaction", "end_transaction"], values };
}
