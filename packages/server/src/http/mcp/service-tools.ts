import { flowGraphSchema } from "@millrace/contract/documents/graph";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Role } from "../../domain/role.ts";
import type { ReplayedNode, ReplayResult } from "../../domain/replay.ts";
import { checkGraphOf } from "../../operations/manage-flows/check-graph-of.ts";
import { dryRunGraph } from "../../operations/manage-flows/dry-run-graph.ts";
import { saveDraftOf } from "../../operations/manage-flows/save-draft-of.ts";
import { cancelRun } from "../../operations/runs/cancel-run.ts";
import { getRun } from "../../operations/runs/get-run.ts";
import type { RunFollower } from "../../operations/tools/run-follower.ts";
import { explainRun } from "../../operations/why/explain-run.ts";
import { presentWhy } from "../presenters/why.ts";
import type { ContextOf } from "../route.ts";
import type { McpCaller } from "./caller.ts";
import { jsonResult, runDetailResult } from "./tool-result.ts";

export type ServiceToolContext = ContextOf<typeof getRun> &
  ContextOf<typeof explainRun> &
  ContextOf<typeof cancelRun> &
  ContextOf<typeof dryRunGraph> & { readonly follower: RunFollower };

export interface ServiceTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whoever has less is not offered it. */
  readonly role: Role;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** @throws z.ZodError where the arguments do not fit */
  call(
    context: ServiceToolContext,
    caller: McpCaller,
    given: unknown,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
}

const READS = { readOnlyHint: true, openWorldHint: false };
const MAX_WAIT_SECONDS = 50;
const SUFFIX = /^(?:run|queue|rh)_([A-Za-z0-9]{1,60})$/;

/** A queued run is asked for by any of its names. */
const runId = z
  .string()
  .regex(SUFFIX, "must be the id of a run, such as run_…")
  .transform((id) => id.replace(SUFFIX, "run_$1"))
  .describe("The id of a run, run_…");
const designId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -");
const organizationId = designId.optional().describe("Needed where the key reaches several organizations.");
const anyObject = z.record(z.string(), z.unknown());
const flowId = designId.describe("The id of a flow, such as flow_invoice.");
const graph = flowGraphSchema.describe(
  "Nodes and edges: {nodes: [{id, type, data: {inputs}}], edges: [{source, target, sourceHandle?}]}, with one node of type start.",
);

export const serviceTools: readonly ServiceTool[] = [
  define({
    name: "get_run",
    title: "Get a run",
    description:
      "Shows a run of a flow: its status, its output or error, and what it waits for. With waitSeconds it waits so long for the end.",
    role: "viewer",
    annotations: READS,
    arguments: z.strictObject({
      runId,
      waitSeconds: z.number().min(0).max(MAX_WAIT_SECONDS).optional().describe("Up to 50; default 0."),
    }),
    async call(context, { principal }, { runId, waitSeconds = 0 }, signal) {
      const seen = await getRun(context, principal, runId);
      if (waitSeconds === 0) return runDetailResult(seen);
      const { organizationId } = seen.run;
      const waitMs = waitSeconds * 1_000;
      await context.follower.follow({ principal, organizationId, runId, waitMs, signal });
      return runDetailResult(await getRun(context, principal, runId));
    },
  }),
  define({
    name: "cancel_run",
    title: "Cancel a run",
    description: "Ends a run that is waiting, executing or paused. What it has done so far stays done.",
    role: "member",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    arguments: z.strictObject({ runId }),
    async call(context, { principal, actor }, { runId }) {
      const { canceledAt } = await cancelRun(context, principal, actor, runId, { paused: true });
      return json({ id: runId, status: "CANCELED", canceledAt: canceledAt.toISOString() });
    },
  }),
  define({
    name: "why",
    title: "Why a run waits",
    description: "Says why a run does not go on, since when, until when, and what can be done about it.",
    role: "viewer",
    annotations: READS,
    arguments: z.strictObject({ runId }),
    async call(context, { principal, locale }, { runId }) {
      // Without the link that answers an approval: a person is meant.
      const { link: _link, ...explanation } = await explainRun(context, principal, runId);
      return json(presentWhy(explanation, locale));
    },
  }),
  define({
    name: "validate_flow",
    title: "Validate a flow",
    description:
      "Says whether a graph would run: errors with their places, and warnings. Without a graph it looks at the draft of the flow. Changes nothing.",
    role: "viewer",
    annotations: READS,
    arguments: z.strictObject({
      flowId: flowId.optional(),
      graph: graph.optional(),
      organizationId,
    }),
    async call(context, { principal }, given) {
      const { errors, ...checked } = await checkGraphOf(context, principal, given);
      return json({ valid: errors.length === 0, errors, ...checked });
    },
  }),
  define({
    name: "draft_flow",
    title: "Save a draft of a flow",
    description:
      "Saves a graph as the draft of a flow, and makes the flow where there is none (give a name then). Nothing is published: the version in force stays, until a person publishes the draft.",
    role: "admin",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    arguments: z.strictObject({
      flowId,
      graph,
      name: z.string().min(1).max(200).optional().describe("Of a flow that does not exist yet."),
      revision: z
        .int()
        .min(0)
        .optional()
        .describe("Of the draft that was read; a newer one is refused instead of being replaced."),
      organizationId,
    }),
    async call(context, { principal, actor }, given) {
      return json(await saveDraftOf(context, { principal, actor }, given));
    },
  }),
  define({
    name: "dry_run_flow",
    title: "Try a flow out",
    description:
      "Runs a graph, or the draft of a flow, in memory: conditions, expressions, loops and code are real, waits pass at once, nothing leaves the service and nothing is kept. What nodes with effects (http-request, sql, email, store, llm, agent, mcp-tool, run-flow) give has to be said in outputs; where it is not, the answer names the call as unanswered.",
    role: "member",
    annotations: READS,
    arguments: z.strictObject({
      flowId: flowId.optional(),
      graph: graph.optional(),
      organizationId,
      body: z.unknown().optional().describe("trigger.body"),
      data: anyObject.optional().describe("data of the run"),
      outputs: z
        .record(z.string(), anyObject)
        .optional()
        .describe('By node id or node key: {"fetch": {"status": 200, "body": {}}}'),
      decision: z
        .enum(["approved", "rejected"])
        .optional()
        .describe("The answer to every approval; approved."),
    }),
    async call(context, { principal }, given, signal) {
      const { body, data = {}, outputs = {}, decision = "approved", ...which } = given;
      const wanted = { ...which, body, data, outputs, decision, signal };
      const { valid, errors, result } = await dryRunGraph(context, principal, wanted);
      return json({ valid, errors, ...(result && presentReplay(result)) });
    },
  }),
];

const MAX_NODE_LENGTH = 2_000;
const MAX_NODES = 200;
const MAX_LINES = 20;

/** What came of it, and which call nothing was known of. */
function presentReplay({ status, output, error, nodes, unanswered }: ReplayResult): object {
  return {
    status,
    ...(output && { output }),
    ...(error && { error }),
    ...(unanswered && {
      unanswered: { nodeKey: unanswered.nodeKey, type: unanswered.type, input: short(unanswered.input) },
    }),
    nodes: nodes.slice(0, MAX_NODES).map(presentNode),
  };
}

function presentNode({ nodeKey, type, status, handle, output, error, log }: ReplayedNode): object {
  return {
    nodeKey,
    type,
    status,
    ...(handle !== undefined && { handle }),
    ...(output && { output: short(output) }),
    ...(error && { error }),
    ...(log.length > 0 && { log: log.slice(0, MAX_LINES) }),
  };
}

/** Values only where they are short. */
function short(value: object): object {
  return JSON.stringify(value).length <= MAX_NODE_LENGTH ? value : { truncated: true };
}

interface Definition<Arguments extends z.ZodObject> extends Omit<ServiceTool, "inputSchema" | "call"> {
  readonly arguments: Arguments;
  call(
    context: ServiceToolContext,
    caller: McpCaller,
    given: z.output<Arguments>,
    signal: AbortSignal,
  ): Promise<CallToolResult>;
}

/** One schema for what a client is told and for what is checked. */
function define<Arguments extends z.ZodObject>(definition: Definition<Arguments>): ServiceTool {
  const { arguments: schema, call, ...tool } = definition;
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return {
    ...tool,
    inputSchema: inputSchema as Record<string, unknown>,
    call: (context, caller, given, signal) => call(context, caller, schema.parse(given), signal),
  };
}

function json(value: object): CallToolResult {
  return jsonResult(JSON.stringify(value));
}
