import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { IdMaker } from "../../domain/ids.ts";
import { organizationFor, type Principal, requireRole } from "../../domain/principal.ts";
import type { ReplayAnswer, ReplayCall, ReplayResult } from "../../domain/replay.ts";
import { findManagedFlow } from "../../storage/manage-flows/list-managed-flows.ts";
import { readGraph } from "../backtest/draft-to-replay.ts";
import type { ReplayDesk } from "../backtest/replay-desk.ts";
import { checkGraphOf } from "./check-graph-of.ts";
import type { FlowContext } from "./flow-context.ts";

const MAX_MS = 10_000;

export interface DryRunContext extends FlowContext {
  readonly ids: IdMaker;
  readonly replays: ReplayDesk;
  readonly now: () => Date;
}

interface WantedDryRun {
  readonly flowId?: string | undefined;
  readonly graph?: FlowGraph | undefined;
  readonly organizationId?: string | undefined;
  readonly body: unknown;
  readonly data: Readonly<Record<string, unknown>>;
  /** What nodes with effects give, by node key or id. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The answer to every approval. */
  readonly decision: "approved" | "rejected";
  readonly signal: AbortSignal;
}

export interface GraphDryRun {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly result?: ReplayResult;
}

/** Tries out a graph, or the draft of a flow, in its own time. Nothing leaves the service, and nothing is kept. */
export async function dryRunGraph(
  context: DryRunContext,
  principal: Principal,
  { flowId, graph, organizationId: asked, ...start }: WantedDryRun,
): Promise<GraphDryRun> {
  const { pool: db, catalogue, ids, replays, now } = context;
  const { errors } = await checkGraphOf(context, principal, { flowId, graph, organizationId: asked });
  const known = flowId === undefined ? undefined : await findManagedFlow(db, flowId);
  const organizationId = known?.organizationId ?? organizationFor(principal, asked, "member");
  requireRole(principal, organizationId, "member");
  const flow = { organizationId, id: flowId ?? "flow", version: known?.version ?? null };
  const { compiled } = await readGraph({ db, catalogue }, flow, graph);
  if (errors.length > 0 || !compiled) return { valid: false, errors };
  const result = await replays.take(organizationId, (replay) =>
    replay({
      flow: compiled,
      run: { id: ids.make("run"), attempt: 1, flowId: flow.id, organizationId },
      trigger: { body: start.body },
      data: start.data,
      startedAtMs: now().getTime(),
      signal: AbortSignal.any([start.signal, AbortSignal.timeout(MAX_MS)]),
      // oxlint-disable-next-line require-yield -- it is known at once
      *answer(call) {
        return answerOf(call, start);
      },
    }),
  );
  return { valid: true, errors: [], result };
}

/** Waits pass in the time of the flow; of anything else that was not said nothing is known. */
function answerOf(
  { nodeKey, nodeId, type }: ReplayCall,
  { outputs, decision }: Pick<WantedDryRun, "outputs" | "decision">,
): ReplayAnswer | undefined {
  for (const name of [nodeKey, nodeId]) if (Object.hasOwn(outputs, name)) return { output: outputs[name]! };
  return type === "approval" ? { output: { decision, by: "dry-run" } } : undefined;
}
