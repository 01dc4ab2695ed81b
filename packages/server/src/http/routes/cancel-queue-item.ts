import { queueItemCanceledAnswer, queueItemQuery } from "@millrace/contract/queue";
import { withPrefix } from "../../domain/ids.ts";
import { cancelQueueItem } from "../../operations/runs/cancel-queue-item.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const cancelQueueItemRoute = (context: ContextOf<typeof cancelQueueItem>) =>
  defineRoute({
    method: "DELETE",
    path: "/api/runs/queue/{queueId}",
    name: "cancelQueueItem",
    summary: "Take a waiting item out of the queue",
    tag: "Queue",
    access: "key",
    query: queueItemQuery,
    answers: { 200: { description: "The item is cancelled", schema: queueItemCanceledAnswer } },
    errors: ["invalid_query", "queue_item_not_waiting", "access_denied", "queue_item_not_found"],
    async handle({ principal, actor, params, query }) {
      const queueId = params.queueId!;
      const { canceledAt } = await cancelQueueItem(
        context,
        principal,
        actor,
        query["filter[organizationId]"],
        queueId,
      );
      const data = {
        id: queueId,
        status: "canceled",
        runHistoryId: withPrefix(queueId, "rh"),
        canceledAt: canceledAt.toISOString(),
      };
      return { status: 200, body: { success: true, data } };
    },
  });
