import { z } from "zod";
import { safeText, success } from "../envelope.ts";

export const flowGraphQuery = z.object({
  version: safeText
    .max(64)
    .optional()
    .describe("a version such as 20260101.1; the active one where left out"),
});

/** How a version of a flow is connected: what a picture of it needs, without inputs. */
const flowStructure = z.strictObject({
  flowId: z.string(),
  version: z.string(),
  active: z.boolean().describe("whether it is the version that triggers use"),
  graph: z.strictObject({
    nodes: z.array(
      z.strictObject({
        id: z.string(),
        type: z.string(),
        label: z.string().optional(),
        parentId: z.string().optional().describe("the container that the node is inside of"),
      }),
    ),
    edges: z.array(
      z.strictObject({
        source: z.string(),
        target: z.string(),
        sourceHandle: z.string().describe("the way out of the source; out unless stated"),
      }),
    ),
  }),
});
export type FlowStructure = z.infer<typeof flowStructure>;
export const flowGraphAnswer = success(flowStructure);
