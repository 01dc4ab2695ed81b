import type { Duty } from "../../lifecycle/duty.ts";
import type { EventDelivery } from "../../operations/events/event-delivery.ts";
import { deleteOldEvents } from "../../storage/events/delete-old-events.ts";
import type { Pool } from "../../storage/pool.ts";

const INTERVAL_MS = 500;
const EVENTS_KEPT_DAYS = 30;

/** Hands committed events on; woken by changes of this process, and in time for the next retry. */
export function deliverEvents(delivery: EventDelivery, wakeIn: (ms: number) => void): Duty {
  return {
    name: "deliver-events",
    intervalMs: INTERVAL_MS,
    async runOnce() {
      const nextRetryMs = await delivery.begin();
      if (nextRetryMs !== undefined && nextRetryMs < INTERVAL_MS) wakeIn(nextRetryMs);
    },
  };
}

export function forgetEvents(pool: Pool): Duty {
  return {
    name: "forget-events",
    intervalMs: 10 * 60_000,
    async runOnce(signal) {
      while (!signal.aborted && (await deleteOldEvents(pool, EVENTS_KEPT_DAYS)) > 0);
    },
  };
}
