import type { Duty } from "../../lifecycle/duty.ts";
import {
  findOldestTransaction,
  WARN_TRANSACTION_SECONDS,
} from "../../storage/doctor/find-oldest-transaction.ts";
import type { Pool } from "../../storage/pool.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { Metrics } from "../../telemetry/metrics.ts";

export interface OldTransactionParts {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "oldestTransaction">;
  readonly warnSeconds?: number;
}

/** Says so when a transaction is left open: claims get slower for as long as it is. */
export function oldTransactions({
  pool,
  logger,
  metrics,
  warnSeconds = WARN_TRANSACTION_SECONDS,
}: OldTransactionParts): Duty {
  return {
    name: "old-transactions",
    intervalMs: 30_000,
    async runOnce() {
      const oldest = await findOldestTransaction(pool);
      metrics.oldestTransaction.set(oldest?.seconds ?? 0);
      if (oldest && oldest.seconds >= warnSeconds)
        logger.warn(
          oldest,
          "a transaction has been open for long; nothing that changed since can be cleaned up",
        );
    },
  };
}
