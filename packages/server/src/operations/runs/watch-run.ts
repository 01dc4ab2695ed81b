import { type NodeChange, tellInOrder } from "../../domain/node-changes.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import { readNodeChanges } from "./read-node-changes.ts";
import type { RunListener, RunWatch, WatchedRun } from "./run-watch.ts";

/**
 * `begin` gets the run as it is now and returns who listens from now on, if anybody; nothing is missed in between.
 * Returns what ends the listening. A run that has ended already comes with its nodes and changes no more.
 */
export async function watchRun(
  { db, watch }: { readonly db: Db; readonly watch: RunWatch },
  principal: Principal,
  runId: string,
  { withNodes }: { readonly withNodes: boolean },
  begin: (run: WatchedRun, nodes: readonly NodeChange[]) => RunListener | undefined,
): Promise<() => void> {
  const run = await findRun(db, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  watch.refuseWhenFull(run.organizationId);
  if (isTerminal(run.status)) {
    const stored = withNodes ? await readNodeChanges(db, [{ ...run, known: [] }]) : new Map();
    begin(run, tellInOrder(new Map(), { stored: stored.get(run.id) ?? [] }));
    return () => {};
  }
  const listener = begin(run, []);
  return listener ? watch.subscribe(run, listener) : () => {};
}
