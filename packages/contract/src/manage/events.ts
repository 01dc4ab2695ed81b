import { z } from "zod";
import { safeText, success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedDelivery } from "./event-endpoints.ts";
import { managedList, organizationScope } from "./managed.ts";

export const eventsQuery = z.object({
  ...organizationScope,
  "filter[type]": safeText.min(1).max(64).optional().describe("this type, or a family: run.failed, run.*"),
  "filter[from]": timestamp.optional().describe("not before this moment"),
  "page[size]": pageQuery["page[size]"],
  "page[after]": pageQuery["page[after]"],
});
export type EventsQuery = z.infer<typeof eventsQuery>;

export const managedEvent = z.strictObject({
  id: z.string(),
  type: z.string(),
  organizationId: z.string(),
  runId: z.string().optional(),
  at: timestamp,
});
export type ManagedEvent = z.infer<typeof managedEvent>;
export const eventsAnswer = managedList(managedEvent);

export const eventAnswer = success(
  z.strictObject({
    event: z
      .record(z.string(), z.unknown())
      .describe("as it is sent, without the output of the run and without links that answer approvals"),
    deliveries: z.array(managedDelivery.omit({ createdAt: true })),
  }),
);
