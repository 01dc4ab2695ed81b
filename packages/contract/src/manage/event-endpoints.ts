import { z } from "zod";
import { eventEndpointDocument } from "../documents/event-endpoint.ts";
import { success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

export const endpointsQuery = z.object({ ...organizationScope, ...pageQuery });
export type EndpointsQuery = z.infer<typeof endpointsQuery>;
export const endpointQuery = z.object({ ...organizationScope });

export const managedEndpoint = z.strictObject({
  id: z.string(),
  organizationId: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  disabledReason: z.string().optional().describe("gone, failing or operator"),
  state: z.enum(["new", "healthy", "failing", "disabled"]),
  delivered: z.number(),
  retrying: z.number(),
  oldestUntriedAt: timestamp.optional(),
  lastSuccessAt: timestamp.optional(),
  lastFailureAt: timestamp.optional(),
  lastFailure: z.string().optional(),
  createdAt: timestamp,
});
export type ManagedEndpoint = z.infer<typeof managedEndpoint>;
export const endpointsAnswer = managedList(managedEndpoint);
export const endpointAnswer = success(managedEndpoint);

const { url, events } = eventEndpointDocument.shape;

export const putEndpointBody = z.strictObject({ ...organizationScope, url, events });
export type PutEndpointBody = z.infer<typeof putEndpointBody>;
export const endpointDeletedAnswer = success(z.strictObject({ id: z.string(), deleted: z.literal(true) }));

export const signingSecretAnswer = success(
  z.strictObject({
    id: z.string(),
    secret: z.string(),
    previousUntil: timestamp.optional().describe("until then the secret before it signs, too"),
  }),
);

export const rotateSecretBody = z
  .strictObject({
    overlap: z
      .string()
      .regex(/^(?:0|\d{1,6}[mhdw])$/, "must be a time such as 30m, 12h, or 0")
      .default("1d")
      .describe("how long the old secret signs, too"),
    force: z.boolean().default(false).describe("also while the secret before it is still valid"),
  })
  .optional()
  .transform((body) => body ?? { overlap: "1d", force: false });

export const endpointTestedAnswer = success(
  z.strictObject({
    eventId: z.string(),
    delivered: z.boolean(),
    status: z.number().optional(),
    failure: z.string().optional(),
    durationMs: z.number(),
  }),
);

export const deliveriesQuery = z.object({
  ...organizationScope,
  "filter[state]": z.enum(["delivered", "retrying", "failed"]).optional(),
  ...pageQuery,
});
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>;

export const managedDelivery = z.strictObject({
  eventId: z.string(),
  endpointId: z.string(),
  state: z.enum(["delivered", "retrying", "failed"]),
  attempts: z.number(),
  nextAt: timestamp.optional(),
  lastAt: timestamp.optional(),
  lastStatus: z.number().optional(),
  lastFailure: z.string().optional(),
  lastMs: z.number().optional(),
  createdAt: timestamp,
});
export type ManagedDelivery = z.infer<typeof managedDelivery>;
export const deliveriesAnswer = managedList(managedDelivery);

export const resendBody = z.strictObject({
  eventId: z.string().max(64).optional().describe("one event; else a range of time"),
  since: timestamp.optional(),
  until: timestamp.optional().describe("now where left out"),
  onlyFailed: z.boolean().default(false).describe("only what was given up"),
});
export type ResendBody = z.infer<typeof resendBody>;
export const resentAnswer = success(z.strictObject({ resent: z.number() }));
