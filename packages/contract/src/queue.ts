import { z } from "zod";
import { success, timestamp } from "./envelope.ts";
import { designId } from "./ids.ts";
import { pageQuery, pagination } from "./paging.ts";

const queueItem = z.strictObject({
  id: z.string().describe("starts with queue_"),
  status: z.enum(["waiting", "dispatching"]),
  flowId: z.string(),
  runHistoryId: z.string().describe("starts with rh_"),
  createdAt: timestamp,
});
export type QueueItem = z.infer<typeof queueItem>;

const queueItemDetail = queueItem.extend({
  status: z.enum(["waiting", "dispatching", "dispatched"]),
  organizationId: z.string(),
  position: z.int().optional().describe("1 = next; while it waits"),
  reason: z.enum(["concurrency_limit"]).optional().describe("why it waits"),
  updatedAt: timestamp,
  runId: z.string().optional().describe("once dispatched"),
});
export type QueueItemDetail = z.infer<typeof queueItemDetail>;

const organizationId = z.string("is required").pipe(designId).describe("required with every key");

export const queueItemQuery = z.object({ "filter[organizationId]": organizationId });
/** Who does not ask for pages gets the whole queue, as far as the default queue limit goes. */
const WHOLE_QUEUE = 10_000;
export const queueQuery = queueItemQuery.extend({
  ...pageQuery,
  "page[size]": pageQuery["page[size]"]
    .unwrap()
    .default(WHOLE_QUEUE)
    .describe(`results per page, 1 to 100; without it all, up to ${WHOLE_QUEUE}`)
    .meta({ parameter: { type: "number", multipleOf: 1, minimum: 1 } }),
});
export type QueueQuery = z.infer<typeof queueQuery>;

export const queueAnswer = success(z.array(queueItem)).extend({ pagination: pagination.optional() });
export const queueItemAnswer = success(queueItemDetail);

export const queueItemCanceledAnswer = success(
  z.strictObject({
    id: z.string(),
    status: z.literal("canceled"),
    runHistoryId: z.string(),
    canceledAt: timestamp,
  }),
);
export type QueueItemCanceledAnswer = z.infer<typeof queueItemCanceledAnswer>;
