import { z } from "zod";
import { success } from "./envelope.ts";
import { nodeStatuses, runStatuses } from "./run-status.ts";

const comparedRun = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  version: z.string(),
  status: z.enum(runStatuses),
});

const side = z
  .strictObject({
    status: z.enum(nodeStatuses),
    handle: z.string().optional().describe("the way out that was taken"),
    duration: z.number().describe("seconds"),
    attempts: z.int(),
  })
  .describe("missing where the run has not come to the node");

/** JSON Patch, RFC 6902. */
export const patchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("add"), path: z.string(), value: z.unknown() }),
  z.strictObject({ op: z.literal("replace"), path: z.string(), value: z.unknown() }),
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
]);
export type PatchOperation = z.infer<typeof patchOperation>;

const comparedValue = z.strictObject({
  equal: z.boolean(),
  patch: z.array(patchOperation).optional().describe("JSON Patch (RFC 6902) from a to b"),
  leftOut: z
    .boolean()
    .optional()
    .describe("they differ in more than 200 places, or are too large to be compared in one answer"),
});

export const differences = ["presence", "status", "handle", "input", "output", "error"] as const;

const comparedNode = z.strictObject({
  nodeKey: z.string().describe("the node id, with the round inside containers: fetch[3]"),
  nodeId: z.string(),
  type: z.string(),
  a: side.optional(),
  b: side.optional(),
  differs: z.array(z.enum(differences)).describe("in what the runs differ here; empty where they do not"),
  input: comparedValue.optional().describe("where both runs came to the node"),
  output: comparedValue.optional(),
});
export type ComparedNode = z.infer<typeof comparedNode>;

export const compareAnswer = success(
  z.strictObject({
    a: comparedRun,
    b: comparedRun,
    nodes: z.array(comparedNode).describe("by time, at most 5,000"),
    total: z.int().describe("how many nodes there are in both runs"),
    firstDivergence: z.string().nullable().describe("node key of the first node in which the runs differ"),
  }),
);
export type RunComparison = z.infer<typeof compareAnswer>["data"];
