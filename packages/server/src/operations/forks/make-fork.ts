import type { CompiledFlow } from "../../domain/flow/compile.ts";
import { NodePlaces } from "../../domain/fork/node-place.ts";
import { type ForkPlan, planFork } from "../../domain/fork/plan-fork.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { newRun, type NewRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { isTestVersion } from "../../domain/version-number.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { findRunToFork, type RunToFork } from "../../storage/forks/find-run-to-fork.ts";
import type { Fork, ForkWait } from "../../storage/forks/fork-runs.ts";
import {
  type BegunRun,
  findEndedNodes,
  listBegunRuns,
  listForkRecords,
} from "../../storage/forks/list-fork-records.ts";
import type { Db } from "../../storage/pool.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { givenRecord, markRecord } from "./fork-records.ts";
import { forkVersion } from "./fork-version.ts";

export interface ForkContext {
  readonly db: Db;
  readonly library: FlowLibrary;
  readonly ids: IdMaker;
  readonly nowMs: () => number;
}

export interface ForkOrder {
  /** A node key, "failed" or "start". */
  readonly from: string;
  /** "same", "active" or a version. */
  readonly version: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What the new run has of its own. */
  readonly given: Pick<NewRun, "triggerSource"> & Partial<NewRun>;
  /** Nothing that nodes see was replaced, so runs of sub-flows that have not completed go on where they stood. */
  readonly goesOn: boolean;
}

export interface MadeFork {
  /** The fork itself, and behind it those of the runs that it has begun. */
  readonly forks: readonly Fork[];
  readonly warnings: readonly string[];
}

/** What of a fork may be under way at once; each is read and stored in one go. */
const MAX_RUNS = 1_000;

/** All that it takes to store a fork of a run that has ended. */
export async function makeFork(context: ForkContext, run: RunToFork, order: ForkOrder): Promise<MadeFork> {
  const { db, ids, nowMs } = context;
  const { organizationId, id } = run;
  const { flow, version } = await forkVersion(context, run, order.version);
  const known = await knownOf(context, run, order);
  const { records, begun } = known;
  const places = new NodePlaces(version.compiled);
  const entered = new Set(records.map(({ nodeKey }) => nodeKey));
  const from = order.from === "failed" ? undefined : beginning(version.compiled, order.from);
  if (from !== undefined && order.from !== "start") requirePlace(places, entered, from, ["from"]);
  for (const nodeKey of Object.keys(order.outputs)) requireGivable(places, entered, nodeKey);
  const work = planFork({
    flow: version.compiled,
    records: order.from === "start" ? [] : records,
    from,
    given: new Set(Object.keys(order.outputs)),
    begun: order.from === "start" ? [] : begun.map(({ nodeKey }) => nodeKey),
  });
  const plan = await driveSliced(work, () => eventLoop.giveWay(organizationId));
  const made = newRun(
    ids,
    flow,
    { nodeCount: Math.max(1, version.nodeCount - plan.copiedNodes) },
    {
      tags: run.tags,
      isTest: run.isTest || isTestVersion(flow.version),
      maxAttempts: run.maxAttempts,
      maxDurationMs: run.maxDurationMs,
      depth: run.depth,
      ...order.given,
    },
  );
  const before = await findEndedNodes(db, run, Object.keys(order.outputs));
  const outputs = Object.entries(order.outputs).map(([nodeKey, output]) =>
    givenRecord(organizationId, places.find(nodeKey)!, {
      output,
      before: before.get(nodeKey),
      nowMs: nowMs(),
    }),
  );
  const { waits, children } = await carriedOn(context, { plan, begun, order, parentId: made.id, run });
  const fork: Fork = {
    run: made,
    fromRunId: id,
    // Of a run that was ended before anything was recorded of it.
    fromNodeKey: plan.beginsAt ?? beginning(version.compiled, "start"),
    keep: plan.keep,
    reopen: plan.reopen,
    records: [...(await Promise.all(outputs)), ...plan.mark.map((place) => markRecord(place, nowMs()))],
    waits,
  };
  const warnings = [
    ...droppedWarnings(plan, flow.version),
    ...unreachedWarnings(order, entered),
    ...children.flatMap((child) => child.warnings),
  ];
  return { forks: [fork, ...children.flatMap(({ forks }) => forks)], warnings };
}

async function knownOf({ db }: ForkContext, { organizationId, id }: RunToFork, { from }: ForkOrder) {
  if (from === "start") return { records: [], begun: [] };
  const [records, begun] = await Promise.all([
    listForkRecords(db, organizationId, id),
    listBegunRuns(db, organizationId, id),
  ]);
  return { records, begun };
}

/** "start" is the node that the flow begins with, whatever its name. */
function beginning({ root }: CompiledFlow, from: string): string {
  return from === "start" ? root.nodes[root.entries[0]!]!.id : from;
}

function requirePlace(
  places: NodePlaces,
  entered: ReadonlySet<string>,
  nodeKey: string,
  path: string[],
): void {
  const refuse = (message: string) => new Refusal("invalid_request_body", { issues: [{ path, message }] });
  const place = places.find(nodeKey);
  if (place === undefined)
    throw refuse(
      `names no node of this version: ${nodeKey}; use a node key such as charge or fetch[3], "failed" or "start"`,
    );
  const inner = place.around.at(-1);
  if (inner === undefined) return;
  const isBegun = inner.container.children!.nodes.some(({ id }) =>
    entered.has(`${nodeKey.slice(0, nodeKey.lastIndexOf(`${place.node.id}[`))}${id}[${inner.round}]`),
  );
  if (!isBegun || !entered.has(inner.containerKey))
    throw refuse(`names a round that the run has not begun: ${nodeKey}`);
}

function requireGivable(places: NodePlaces, entered: ReadonlySet<string>, nodeKey: string): void {
  requirePlace(places, entered, nodeKey, ["outputs", nodeKey]);
  const { type } = places.find(nodeKey)!.node;
  if (type !== "start" && type !== "return" && type !== "fail") return;
  const message =
    type === "start"
      ? "cannot be given: replace `trigger` instead"
      : `is a ${type} node, which has no output`;
  throw new Refusal("invalid_request_body", { issues: [{ path: ["outputs", nodeKey], message }] });
}

interface Carried {
  readonly plan: ForkPlan;
  readonly begun: readonly BegunRun[];
  readonly order: ForkOrder;
  readonly parentId: string;
  readonly run: RunToFork;
}

/** What nodes have begun in other runs happens once: it is not begun again, and goes on where it did not end well. */
async function carriedOn(
  context: ForkContext,
  { plan, begun, order, parentId, run }: Carried,
): Promise<{ waits: ForkWait[]; children: MadeFork[] }> {
  const waits: ForkWait[] = [];
  const children: MadeFork[] = [];
  const byKey = new Map(begun.map((one) => [one.nodeKey, one]));
  let count = 1;
  for (const { nodeKey, node } of plan.carry) {
    const { runId, status, isLeft, onParentEnd } = byKey.get(nodeKey)!;
    const wait = { nodeKey, nodeId: node.id, timeoutMs: node.timeoutMs, onParentEnd };
    if (isLeft || status === "COMPLETED") {
      waits.push({ ...wait, kind: isLeft ? "left" : "done", runId });
      continue;
    }
    if (!order.goesOn) continue;
    const child = await forkOfChild(context, { runId, status, nodeKey, parentId, order, run });
    if (!child) continue;
    count += child.forks.length;
    if (count > MAX_RUNS)
      throw new Refusal("invalid_request_body", {
        issues: [
          {
            path: ["from"],
            message: `more than ${MAX_RUNS} runs of sub-flows would go on with it; name a node to begin with`,
          },
        ],
      });
    children.push(child);
    waits.push({ ...wait, kind: "forked", runId: child.forks[0]!.run.id });
  }
  return { waits, children };
}

/** Undefined where its flow cannot run any more: the node begins another run then, and says why it cannot. */
async function forkOfChild(
  context: ForkContext,
  {
    runId,
    status,
    nodeKey,
    parentId,
    order,
    run,
  }: Pick<Carried, "parentId" | "order" | "run"> & Pick<BegunRun, "runId" | "status" | "nodeKey">,
): Promise<MadeFork | undefined> {
  if (!isTerminal(status)) throw new Refusal("run_not_forkable", { messageParams: { runId, status } });
  const child = await findRunToFork(context.db, [run.organizationId], runId);
  if (!child) return undefined;
  const given = { triggerSource: "subflow", parent: { runId: parentId, nodeKey } } as const;
  const version = order.version === "active" ? "active" : "same";
  try {
    return await makeFork(context, child, { from: "failed", version, outputs: {}, given, goesOn: true });
  } catch (error) {
    const isFlowGone =
      error instanceof Refusal && ["flow_not_found", "flow_validation_failed"].includes(error.code);
    if (isFlowGone) return undefined;
    throw error;
  }
}

function droppedWarnings({ dropped }: ForkPlan, version: string): string[] {
  return dropped.map(
    (nodeId) => `The node "${nodeId}" is not in version ${version} as it was, so its values were dropped.`,
  );
}

function unreachedWarnings({ from }: ForkOrder, entered: ReadonlySet<string>): string[] {
  if (from === "failed" || from === "start" || entered.has(from)) return [];
  return [`The run had not come to the node "${from}".`];
}
