import { z } from "zod";
import { success, timestamp } from "./envelope.ts";
import { designId } from "./ids.ts";
import { pagination } from "./paging.ts";

export const agent = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullable(),
  active: z.boolean(),
  organizationId: z.string(),
  modelIds: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
});
export type Agent = z.infer<typeof agent>;

export const agentQuery = z.object({
  organizationId: designId.optional().describe("required with a user-scoped key"),
});

export const agentsAnswer = success(z.array(agent)).extend({ pagination: pagination.optional() });
export const agentAnswer = success(agent);
