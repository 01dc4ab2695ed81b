import { mayReadValues, organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { withoutNodeValues } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import { listRunNodes as readRunNodes, type RunNodes } from "../../storage/runs/list-run-nodes.ts";

export async function listRunNodes(
  { db }: { readonly db: Db },
  principal: Principal,
  runId: string,
): Promise<RunNodes> {
  const run = await findRun(db, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  const { nodes, total } = await readRunNodes(db, run.organizationId, runId);
  return {
    nodes: mayReadValues(principal, run.organizationId) ? nodes : nodes.map(withoutNodeValues),
    total,
  };
}
