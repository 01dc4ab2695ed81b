import {
  findOldestTransaction,
  WARN_TRANSACTION_SECONDS,
} from "../../storage/doctor/find-oldest-transaction.ts";
import type { Db } from "../../storage/pool.ts";
import type { Finding } from "./finding.ts";

/** The service's own come and go all the time. */
const WORTH_TELLING_SECONDS = 10;

/** A transaction left open makes every claim walk over what can no longer be cleaned up. */
export async function examineTransactions(db: Db, warnSeconds = WARN_TRANSACTION_SECONDS): Promise<Finding> {
  const check = "transactions";
  const oldest = await findOldestTransaction(db);
  if (!oldest || oldest.seconds < Math.min(WORTH_TELLING_SECONDS, warnSeconds))
    return { check, status: "ok", message: "none has been open for long" };
  const { owner, remedy, seconds } = oldest;
  const message = `${owner} has had one open for ${Math.round(seconds)} s`;
  if (seconds < warnSeconds) return { check, status: "ok", message };
  return {
    check,
    status: "warn",
    message: `${message}, and nothing that changed since can be cleaned up; end it: ${remedy}`,
  };
}
