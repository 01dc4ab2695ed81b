import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import { listRunNodes, type RunNodes } from "../../storage/runs/list-run-nodes.ts";

export type ListRunNodes = (principal: Principal, runId: string) => Promise<RunNodes>;

export const makeListRunNodes =
  (db: Db): ListRunNodes =>
  async (principal, runId) => {
    const run = await findRun(db, organizationsFor(principal, undefined), runId);
    if (!run) throw new Refusal("run_not_found");
    return listRunNodes(db, run.organizationId, runId);
  };
