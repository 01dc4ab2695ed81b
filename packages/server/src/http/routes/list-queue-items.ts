import { queueAnswer, queueQuery } from "@millrace/contract/queue";
import { listQueueItems } from "../../operations/queue/list-queue-items.ts";
import { presentList } from "../presenters/list.ts";
import { presentQueueItem } from "../presenters/queue-item.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listQueueItemsRoute = (context: ContextOf<typeof listQueueItems>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/queue",
    name: "listQueueItems",
    summary: "List the queue of an organization, oldest first",
    tag: "Queue",
    access: "key",
    query: queueQuery,
    answers: { 200: { description: "Items that wait or are being dispatched", schema: queueAnswer } },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query, raw }) {
      return {
        status: 200,
        body: presentList(await listQueueItems(context, principal, query), presentQueueItem, raw),
      };
    },
  });
