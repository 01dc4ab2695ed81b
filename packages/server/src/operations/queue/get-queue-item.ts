import { isId, withPrefix } from "../../domain/ids.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findQueueItem } from "../../storage/queue/find-queue-item.ts";

export async function getQueueItem(
  { db }: { readonly db: Db },
  principal: Principal,
  organizationId: string,
  queueId: string,
): Promise<QueueItemRecord & { readonly position: number | null }> {
  const known = reaches(principal, organizationId) && isId("queue", queueId);
  const item = known && (await findQueueItem(db, organizationId, withPrefix(queueId, "run")));
  if (!item) throw new Refusal("queue_item_not_found");
  return item;
}
