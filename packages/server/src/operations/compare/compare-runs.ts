import type { ComparedNode, RunComparison } from "@millrace/contract/compare";
import { diffJson } from "../../domain/json-patch.ts";
import { mayReadValues, organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import {
  compareNodes,
  type NodePair,
  type NodeValues,
  readNodeValues,
} from "../../storage/compare/compare-nodes.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";

/** What is read of the values of each run. */
const MAX_CHARACTERS = 2_500_000;

/** What two runs did, node by node: the way they took, how they ended, how long they took, and in what values they differ. */
export async function compareRuns(
  { db }: { readonly db: Db },
  principal: Principal,
  aId: string,
  bId: string,
): Promise<RunComparison> {
  const organizationIds = organizationsFor(principal, undefined);
  const [a, b] = await Promise.all([aId, bId].map((id) => findRun(db, organizationIds, id)));
  if (!a || !b) throw new Refusal("run_not_found", { messageParams: { runId: a ? bId : aId } });
  const pairs = await compareNodes(db, a, b);
  const showsValues = [a, b].every(({ organizationId }) => mayReadValues(principal, organizationId));
  const unequal = showsValues ? pairs.filter(isUnequal).map(({ nodeKey }) => nodeKey) : [];
  const [ofA, ofB] = await Promise.all([
    readNodeValues(db, a, unequal, MAX_CHARACTERS),
    readNodeValues(db, b, unequal, MAX_CHARACTERS),
  ]);
  const nodes: ComparedNode[] = [];
  for (const pair of pairs) {
    const values = { a: ofA.get(pair.nodeKey), b: ofB.get(pair.nodeKey) };
    nodes.push(await compared(a.organizationId, pair, showsValues ? values : undefined));
  }
  return {
    a: shown(a),
    b: shown(b),
    nodes,
    total: pairs[0]?.total ?? 0,
    firstDivergence: nodes.find(({ differs }) => differs.length > 0)?.nodeKey ?? null,
  };
}

function shown({ id, flowId, version, status }: RunRecord): RunComparison["a"] {
  return { id, flowId, version, status };
}

function isUnequal({ aStatus, bStatus, sameInput, sameOutput }: NodePair): boolean {
  return aStatus !== null && bStatus !== null && !(sameInput && sameOutput && aStatus === bStatus);
}

interface Values {
  readonly a: NodeValues | undefined;
  readonly b: NodeValues | undefined;
}

/** Without `values` nothing is said of them: the caller may not see any. */
async function compared(
  organizationId: string,
  pair: NodePair,
  values: Values | undefined,
): Promise<ComparedNode> {
  const { nodeKey, nodeId, type } = pair;
  const a = sideOf(pair.aStatus, pair.aHandle, pair.aAttempts, [pair.aStartedAt, pair.aEndedAt]);
  const b = sideOf(pair.bStatus, pair.bHandle, pair.bAttempts, [pair.bStartedAt, pair.bEndedAt]);
  if (!a || !b) return { nodeKey, nodeId, type, ...(a && { a }), ...(b && { b }), differs: ["presence"] };
  const differs: ComparedNode["differs"] = [];
  if (a.status !== b.status) differs.push("status");
  if (a.handle !== b.handle) differs.push("handle");
  if (values === undefined) return { nodeKey, nodeId, type, a, b, differs };
  const input = await valueOf(organizationId, pair.sameInput, values, "input");
  const output = await valueOf(organizationId, pair.sameOutput, values, "output");
  const error = await valueOf(organizationId, !isUnequal(pair), values, "error");
  if (!input.equal) differs.push("input");
  if (!output.equal) differs.push("output");
  if (!error.equal && !error.leftOut) differs.push("error");
  return { nodeKey, nodeId, type, a, b, differs, input, output };
}

function sideOf(
  status: NodePair["aStatus"],
  handle: string | null,
  attempts: number | null,
  [startedAt, endedAt]: readonly [number | null, number | null],
): ComparedNode["a"] {
  if (status === null) return undefined;
  const duration = Math.round((endedAt ?? 0) - (startedAt ?? 0)) / 1000;
  return { status, ...(handle !== null && { handle }), duration, attempts: attempts ?? 0 };
}

/** Texts that differ may say the same in another order, so they are read before they are called different. */
async function valueOf(
  organizationId: string,
  isSame: boolean,
  { a, b }: Values,
  name: "input" | "output" | "error",
): Promise<NonNullable<ComparedNode["input"]>> {
  if (isSame) return { equal: true };
  if (!a || !b) return { equal: false, leftOut: true };
  const patch = await driveSliced(diffJson(a[name], b[name]), () => eventLoop.giveWay(organizationId));
  if (patch === undefined) return { equal: false, leftOut: true };
  return patch.length === 0 ? { equal: true } : { equal: false, patch: [...patch] };
}
