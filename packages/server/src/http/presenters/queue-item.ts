import type { QueueItem, QueueItemDetail } from "@millrace/contract/queue";
import { withPrefix } from "../../domain/ids.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";

export function presentQueueItem(item: QueueItemRecord): QueueItem {
  return {
    id: withPrefix(item.id, "queue"),
    status: item.status === "dispatching" ? "dispatching" : "waiting",
    flowId: item.flowId,
    runHistoryId: withPrefix(item.id, "rh"),
    createdAt: item.createdAt.toISOString(),
  };
}

export function presentQueueItemDetail(
  item: QueueItemRecord & { readonly position: number | null },
): QueueItemDetail {
  return {
    ...presentQueueItem(item),
    status: item.status,
    organizationId: item.organizationId,
    ...(item.position !== null && { position: item.position, reason: "concurrency_limit" }),
    updatedAt: item.updatedAt.toISOString(),
    ...(item.status === "dispatched" && { runId: item.id }),
  };
}
