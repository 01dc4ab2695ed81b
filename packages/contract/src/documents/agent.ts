import { z } from "zod";
import { designId } from "../ids.ts";
import { closedObject } from "./closed-object.ts";
import { httpUrl, name, organizationId, slug } from "./fields.ts";

const provider = z.discriminatedUnion(
  "type",
  [
    closedObject({
      type: z.literal("demo").describe("Built in, offline and deterministic: the first chat needs no key."),
    }),
    closedObject({
      type: z.literal("openai-compatible"),
      baseUrl: httpUrl,
      model: z.string().min(1).max(200),
      credential: designId.optional().describe("A `model-provider` credential of the organization."),
    }),
  ],
  "must have the type demo or openai-compatible",
);

const flowTool = closedObject({
  flow: designId.describe("A flow of the organization that the model may run."),
  description: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe("Tells the model when to use it; left out, `tool.description` of the flow."),
});
const mcpTool = closedObject({
  mcp: httpUrl.describe("An MCP server whose tools the model may use."),
  credential: designId.optional().describe("An http credential of the organization."),
});

export const agentDesign = closedObject({
  systemPrompt: z.string().max(100_000).optional(),
  provider,
  tools: z
    .array(z.union([flowTool, mcpTool], "must be { flow, description } or { mcp }"))
    .max(100)
    .optional(),
  limits: closedObject({
    steps: z.int().min(1).max(100).optional().describe("Model calls of one reply; default 8."),
    totalSeconds: z.int().min(1).max(3_600).optional().describe("Longest time of one reply; default 300."),
  }).optional(),
});

export const agentDocument = closedObject({
  kind: z.literal("Agent"),
  id: designId,
  organizationId,
  name,
  slug: slug.optional(),
  active: z.boolean().optional().describe("Left out: as it is stored, true for a new agent."),
  modelIds: z.array(z.string().min(1).max(200)).max(100).optional(),
  design: agentDesign.describe("Never leaves the service."),
});

export type AgentDesign = z.infer<typeof agentDesign>;
export type AgentDocument = z.infer<typeof agentDocument>;
