import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "./pool.ts";

const CONFLICTS = new Set(["40001", "40P01"]);

/**
 * Runs a write again while the database is away or two writes got in each other's way. Only for writes that
 * may be repeated; `again` tells the write that an earlier try may have been committed after all.
 */
export async function retryWrite<T>(
  write: (again: boolean) => Promise<T>,
  { forMs, signal }: { forMs: number; signal?: AbortSignal },
): Promise<T> {
  const deadlineMs = performance.now() + forMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(attempt > 1);
    } catch (error) {
      const conflict = CONFLICTS.has((error as { code?: string }).code ?? "");
      const pauseMs = Math.min(50 * 2 ** (attempt - 1), 2_000) * (0.5 + Math.random() / 2);
      const hopeless = !conflict && !isDatabaseUnavailable(error);
      if (hopeless || signal?.aborted || performance.now() + pauseMs > deadlineMs) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
