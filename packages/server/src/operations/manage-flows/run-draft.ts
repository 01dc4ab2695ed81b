import type { RunDraftBody } from "@millrace/contract/manage/flows";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import { newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import { testVersion } from "../../domain/version-number.ts";
import { putFlowVersion } from "../../storage/catalogue/put-flow-version.ts";
import { findRunToFork } from "../../storage/forks/find-run-to-fork.ts";
import type { ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { type ForkContext, makeFork } from "../forks/make-fork.ts";
import { requireInput } from "../runs/require-input.ts";
import { checkedVersion, requireNeeds } from "../runs/runnable-flow.ts";
import { type RunStart, startFork, type StartContext, startRun } from "../runs/start-run.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { requireRunnable, requireStorable } from "./check-graph.ts";
import { readDraft } from "./draft.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { managedFlow } from "./managed-flow.ts";
import { untilNode } from "./until-node.ts";

export type RunDraftContext = FlowContext & StartContext & ForkContext;

export interface DraftRun {
  readonly start: RunStart;
  readonly warnings: readonly string[];
}

/**
 * Executes the draft for real, effects included, as a test run: whole, or from a node of a recorded run on, or that node
 * alone. What ran is kept as a version of its own for as long as its runs, so that they can be looked at like any other.
 */
export async function runDraft(
  context: RunDraftContext,
  { principal, actor }: Caller,
  flowId: string,
  body: RunDraftBody,
): Promise<DraftRun> {
  const { pool, ids } = context;
  const flow = await managedFlow(pool, principal, flowId, "admin");
  const { organizationId } = flow;
  if (body.graph) requireStorable({ graph: body.graph });
  const draft = await readDraft(pool, flow);
  const graph = graphOf({ ...body, graph: body.graph ?? draft.graph });
  const { settings } = draft;
  await requireRunnable({ ...context, db: pool }, flow, { graph, settings });
  const hash = hashExecutableGraph(graph, settings);
  const version = testVersion(hash);
  await putFlowVersion(pool, {
    organizationId,
    flowId,
    version,
    hash,
    graph,
    settings,
    author: actor.userId,
  });
  const run = await (body.runId === undefined
    ? startFresh(context, flow, version, body)
    : goOn(context, flow, version, { ...body, runId: body.runId }));
  const change = { organizationId, action: "flow.run-draft", target: flowId };
  await recordAudit({ db: pool, ids }, actor, { ...change, after: { runId: run.start.runId, version } });
  return run;
}

function graphOf({
  graph,
  only,
  nodeId,
}: RunDraftBody & { readonly graph: NonNullable<RunDraftBody["graph"]> }) {
  if (nodeId !== undefined && !graph.nodes.some(({ id }) => id === nodeId))
    throw invalid("nodeId", "is no node of the draft");
  if (!only) return graph;
  if (nodeId === undefined) throw invalid("only", "needs a nodeId");
  return untilNode(graph, nodeId);
}

async function startFresh(
  context: RunDraftContext,
  { organizationId, id: flowId }: ManagedFlowRecord,
  version: string,
  { trigger, data, nodeId }: RunDraftBody,
): Promise<DraftRun> {
  const { library, ids } = context;
  if (nodeId !== undefined) throw invalid("runId", "is needed to begin with a node");
  // It may have been made a moment ago.
  library.forget(flowId);
  const found = await library.find(flowId);
  if (!found) throw new Refusal("flow_not_found", { messageParams: { flowId } });
  const flow = { ...found, version };
  const checked = await checkedVersion(library, flow);
  requireNeeds(checked.compiled, new Map(), (key) => ["inputs", key]);
  await requireInput({ organizationId, flowId, version: checked, body: trigger?.body }, ["trigger", "body"]);
  const run = newRun(ids, flow, checked, { triggerSource: "manual", isTest: true, data, trigger });
  return { start: await startRun(context, organizationId, run), warnings: [] };
}

async function goOn(
  context: RunDraftContext,
  { organizationId, id: flowId }: ManagedFlowRecord,
  version: string,
  { runId, nodeId, only }: RunDraftBody & { readonly runId: string },
): Promise<DraftRun> {
  const run = await findRunToFork(context.pool, [organizationId], runId);
  if (!run || run.flowId !== flowId) throw new Refusal("run_not_found", { messageParams: { runId } });
  if (!isTerminal(run.status))
    throw new Refusal("run_not_forkable", { messageParams: { runId, status: run.status } });
  const made = await makeFork(context, run, {
    from: nodeId ?? "start",
    version,
    outputs: {},
    given: { triggerSource: "manual", isTest: true },
    goesOn: false,
  });
  const start = await startFork(context, organizationId, made.forks);
  return { start, warnings: only ? [] : made.warnings };
}

function invalid(field: string, message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path: [field], message }] });
}
