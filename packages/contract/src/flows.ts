import { z } from "zod";
import { success, timestamp } from "./envelope.ts";
import { designId } from "./ids.ts";
import { pageQuery, pagination } from "./paging.ts";

export const flow = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullable(),
  organizationId: z.string(),
  active: z.boolean().describe("false: paused; webhook starts are refused"),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("JSON Schema of trigger.body; get flow alone shows it"),
  tool: z
    .strictObject({ description: z.string(), readOnly: z.boolean().optional() })
    .optional()
    .describe("how the flow is offered as a tool; get flow alone shows it"),
});
export type Flow = z.infer<typeof flow>;

/** Lists of flows and agents take the organization in either form. */
export const catalogueQuery = z.object({
  organizationId: designId.optional().describe("only this organization"),
  "filter[organizationId]": designId.optional().describe("the same, in the form of the other filters"),
  ...pageQuery,
});
export type CatalogueQuery = z.infer<typeof catalogueQuery>;

export const flowsAnswer = success(z.array(flow)).extend({ pagination: pagination.optional() });
export const flowAnswer = success(flow);
