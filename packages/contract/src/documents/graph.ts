import { z } from "zod";
import { edgeCanvasKeys, graphCanvasKeys, nodeCanvasKeys } from "./canvas-keys.ts";
import { closedObject } from "./closed-object.ts";

const graphId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1 to 64 letters, digits, _ or -");

export const nodeData = closedObject({
  label: z.string().nullish().describe("Shown on the canvas."),
  inputs: z.record(z.string(), z.unknown()).nullish().describe("Values; text may contain `{{ … }}`."),
  credential: z.string().nullish().describe("Id of a credential of the organization."),
  disabled: z.boolean().nullish().describe("A disabled node must not be reachable."),
  retry: closedObject({
    maxAttempts: z.number().nullish().describe("Attempts in all, 1 to 10."),
    backoffSeconds: z
      .number()
      .nullish()
      .describe("Pause before the second attempt; it doubles from then on."),
    on: z
      .array(z.union([z.string(), z.int()]))
      .max(50)
      .nullish()
      .describe(
        "What it is tried again after: `connect`, `timeout`, `overload`, a status (`503`, `5xx`), the name of an error, or `any`. Default: connect, timeout, overload, 408, 425, 429, 5xx.",
      ),
  }).nullish(),
  timeoutSeconds: z
    .number()
    .nullish()
    .describe("Longest time of one attempt, in seconds, from its first entry and through pauses."),
  onError: z.string().nullish().describe("`fail` (default), `continue`, or `branch` to the handle `error`."),
  join: z.string().nullish().describe("`all` (default) or `any` of the incoming edges."),
  ui: z.unknown().optional().describe("Whatever a canvas keeps with a node: colours, notes. Never read."),
});

/**
 * A graph as a canvas built on React Flow saves it: its own keys are kept and ignored, any other that is not known is a
 * fault. Otherwise only what makes it unreadable is refused here, so that drafts can be stored; whether it would run is
 * asked by the validation of flows.
 */
export const flowNode = closedObject({
  id: graphId.describe("Unique in the flow; expressions read the output as `nodes.<id>`."),
  type: z.string().min(1).max(64).describe("A type of the node catalogue."),
  parentId: graphId.nullish().describe("The `for-each` or `while` node that this node is inside of."),
  data: nodeData.nullish(),
  ...nodeCanvasKeys,
});

const flowEdge = closedObject({
  id: z.string().min(1).max(256).nullish(),
  source: graphId,
  target: graphId,
  sourceHandle: z.string().max(64).nullish().describe("The way out of the source; `out` unless stated."),
  ...edgeCanvasKeys,
});

const size = z.number().min(20).max(10_000).optional();

/** For people alone: a run, and the hash of what it runs, know nothing of it. */
const canvasNote = closedObject({
  id: graphId.describe("Unique among the notes of the flow."),
  text: z.string().max(10_000, "must be at most 10000 characters"),
  position: closedObject({ x: z.number(), y: z.number() }).describe("Of its upper left corner."),
  width: size,
  height: size,
});

export const flowGraphSchema = closedObject({
  nodes: z.array(flowNode).max(2_000),
  edges: z.array(flowEdge).max(10_000),
  notes: z
    .array(canvasNote)
    .max(500)
    .refine((notes) => new Set(notes.map(({ id }) => id)).size === notes.length, "two notes have the same id")
    .optional()
    .describe("Texts on the canvas, anywhere beside the nodes. Never read by a run."),
  ...graphCanvasKeys,
});

export type FlowGraph = z.infer<typeof flowGraphSchema>;
export type FlowNode = FlowGraph["nodes"][number];
export type FlowEdge = FlowGraph["edges"][number];
export type CanvasNote = NonNullable<FlowGraph["notes"]>[number];
