import { queueItemAnswer, queueItemQuery } from "@millrace/contract/queue";
import { getQueueItem } from "../../operations/queue/get-queue-item.ts";
import { presentQueueItemDetail } from "../presenters/queue-item.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const getQueueItemRoute = (context: ContextOf<typeof getQueueItem>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/queue/{queueId}",
    name: "getQueueItem",
    summary: "Get one queue item: its place in the line or, once dispatched, its run",
    tag: "Queue",
    access: "key",
    query: queueItemQuery,
    answers: { 200: { description: "The queue item", schema: queueItemAnswer } },
    errors: ["invalid_query", "queue_item_not_found"],
    async handle({ principal, params, query }) {
      const item = await getQueueItem(context, principal, query["filter[organizationId]"], params.queueId!);
      return { status: 200, body: { success: true, data: presentQueueItemDetail(item) } };
    },
  });
