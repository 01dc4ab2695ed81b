import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
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
  return readRunNodes(db, run.organizationId, runId);
}
