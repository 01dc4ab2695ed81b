import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Canceled, cancelRun as storeCancel } from "../../storage/runs/cancel-run.ts";
import { cancelChildren } from "../../storage/runs/cancel-children.ts";
import { findRunOwner } from "../../storage/runs/find-run-owner.ts";
import type { Db } from "../../storage/pool.ts";

export interface CancelContext {
  readonly db: Db;
  readonly ids: IdMaker;
  readonly onCanceled: (organizationId: string, runId: string) => void;
}

/** CANCELED is committed here and now; whoever executes the run is told and stops. `paused`: one that is PAUSED too. */
export async function cancelRun(
  { db, ids, onCanceled }: CancelContext,
  principal: Principal,
  actor: Actor,
  runId: string,
  { paused = false }: { readonly paused?: boolean } = {},
): Promise<Canceled> {
  const found = await findRunOwner(db, [...principal.organizations.keys()], runId);
  if (!found || !reaches(principal, found.organizationId)) throw new Refusal("run_not_found");
  requireChangeRight(requireMembership(principal, found.organizationId));
  const audit = { entryId: ids.make("audit"), actor };
  const canceled = await storeCancel(db, found.organizationId, runId, { onlyQueued: false, paused, audit });
  if (!canceled) {
    const now = await findRunOwner(db, [found.organizationId], runId);
    throw new Refusal("run_not_cancelable", {
      messageParams: { runId, status: now?.status ?? found.status },
    });
  }
  onCanceled(found.organizationId, runId);
  // Whom it waited for ends with it; where that cannot be done here and now, a duty does it.
  for (const child of await cancelChildren(db).catch(() => [])) onCanceled(child.organizationId, child.id);
  return canceled;
}
