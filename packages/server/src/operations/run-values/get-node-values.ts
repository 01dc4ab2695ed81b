import type { NodeChange } from "../../domain/node-changes.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findNodeValues, type StoredNodeValues } from "../../storage/run-values/find-node-values.ts";
import type { LiveNodes } from "../runs/live-nodes.ts";
import { readNodeChanges } from "../runs/read-node-changes.ts";
import { findSeenRun } from "./find-seen-run.ts";

export type NodeValues = Omit<NodeChange, "status"> &
  Partial<Omit<StoredNodeValues, "status">> & {
    readonly status: NodeChange["status"];
    readonly showsValues: boolean;
  };

/** One node with its values; of one that is under way what is known so far. */
export async function getNodeValues(
  { db, live }: { readonly db: Db; readonly live: LiveNodes },
  principal: Principal,
  runId: string,
  nodeKey: string,
): Promise<NodeValues> {
  const { run, showsValues } = await findSeenRun(db, principal, runId);
  const stored = await findNodeValues(db, run.organizationId, runId, nodeKey);
  if (stored && stored.status !== "EXECUTING") return { ...stored, showsValues };
  const now = await underWay(db, live, run, nodeKey);
  if (!stored && !now) throw new Refusal("node_not_found");
  return { ...stored!, ...now!, showsValues };
}

async function underWay(
  db: Db,
  live: LiveNodes,
  run: RunRecord,
  nodeKey: string,
): Promise<NodeChange | undefined> {
  const isMeant = (change: NodeChange) => change.nodeKey === nodeKey;
  const here = Iterator.from(live.of(run.id) ?? []).find(isMeant);
  if (here || isTerminal(run.status)) return here;
  return (await readNodeChanges(db, [{ ...run, known: [] }])).get(run.id)?.findLast(isMeant);
}
