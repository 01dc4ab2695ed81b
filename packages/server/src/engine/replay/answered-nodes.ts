import type { ReplayAnswer, ReplayCall } from "../../domain/replay.ts";
import { driveSliced, type Sliced } from "../../domain/sliced.ts";
import { NodeError, type NodeContext, type NodeOutcome, type NodeType } from "../nodes/node-type.ts";
import { nodeTypes } from "../nodes/registry.ts";
import { parseDurationMs } from "../nodes/support/duration.ts";

type Inputs = Readonly<Record<string, unknown>>;

/** Which attempt of a node it is; the runner counts them. */
interface CountedContext extends NodeContext {
  readonly attempts: number;
  readonly node: { readonly timeoutMs: number | undefined };
}

interface Answers {
  /** What is known of the call. */
  find(call: ReplayCall): Sliced<ReplayAnswer | "pending" | undefined>;
  /** What is known of the call; where nothing is the replay ends, and this throws. */
  require(call: ReplayCall): Sliced<ReplayAnswer | "pending">;
  /** Nothing is known of it after all. */
  giveUp(call: ReplayCall): never;
}

/** The node types as they are, but nodes that would reach outside or ask somebody give the answer that is known. */
export function answeredNodes(answers: Answers): ReadonlyMap<string, NodeType> {
  return new Map(Array.from(nodeTypes, ([type, node]) => [type, answered(node, answers)]));
}

function answered(node: NodeType, answers: Answers): NodeType {
  if (node.type === "wait") return answeredWait(node, answers);
  if (!node.effect && !node.pauses) return node;
  return {
    ...node,
    async execute(inputs, context) {
      const counted = context as CountedContext;
      const call = callOf(node, inputs, counted);
      const answer = await driveSliced(answers.require(call), () => context.giveWay());
      if (answer === "pending") return pending(context);
      await context.waitFor({ kind: "wait", untilMs: momentOf(answer, inputs, counted) });
      if ("unknown" in answer) answers.giveUp(call);
      return outcomeOf(node, answer);
    },
  };
}

/** A wait takes its time, unless it is known when it was over. */
function answeredWait(node: NodeType, answers: Answers): NodeType {
  return {
    ...node,
    async execute(inputs, context) {
      const found = answers.find(callOf(node, inputs, context as CountedContext));
      const answer = await driveSliced(found, () => context.giveWay());
      if (answer === "pending") return pending(context);
      if (answer?.atMs === undefined || "unknown" in answer) return node.execute!(inputs, context);
      await context.waitFor({ kind: "wait", untilMs: answer.atMs });
      return outcomeOf(node, answer);
    },
  };
}

/** Nobody sleeps for ever alone: the replay ends when nothing else is left. */
async function pending(context: NodeContext): Promise<never> {
  await context.waitFor({ kind: "wait", untilMs: Infinity });
  throw new Error("For ever is over");
}

function callOf(
  { type }: NodeType,
  input: Inputs,
  { nodeKey, nodeId, attempts }: CountedContext,
): ReplayCall {
  return { nodeKey, nodeId, type, attempt: attempts, input };
}

/** Nobody has answered an approval that timed out: its time has passed. */
function momentOf(answer: ReplayAnswer, inputs: Inputs, { services, node }: CountedContext): number {
  if (answer.atMs !== undefined) return answer.atMs;
  const isTimeout = "output" in answer && answer.output["decision"] === "timeout";
  if (!isTimeout) return services.now();
  const timeout = inputs["timeout"] as string | number | null | undefined;
  const timeoutMs = (timeout ? parseDurationMs(timeout) : undefined) ?? node.timeoutMs ?? 0;
  return services.now() + timeoutMs;
}

function outcomeOf(
  { type }: NodeType,
  answer: Exclude<ReplayAnswer, { readonly unknown: true }>,
): NodeOutcome {
  if ("error" in answer) {
    const { name, message, status, mayPass } = answer.error;
    throw new NodeError(name, message, { status, mayPass });
  }
  const output = { ...answer.output };
  return type === "approval"
    ? { kind: "output", output, handle: String(output["decision"]) }
    : { kind: "output", output };
}
