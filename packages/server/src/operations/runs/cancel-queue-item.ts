import type { Actor } from "../../domain/actor.ts";
import { withPrefix } from "../../domain/ids.ts";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Canceled, cancelRun } from "../../storage/runs/cancel-run.ts";
import { findRunState } from "../../storage/runs/find-run-state.ts";
import type { CancelContext } from "./cancel-run.ts";

/** Takes a waiting item out of the queue; one that has become a run is cancelled as a run. */
export async function cancelQueueItem(
  { db, ids, onCanceled }: CancelContext,
  principal: Principal,
  actor: Actor,
  organizationId: string,
  queueId: string,
): Promise<Canceled> {
  if (!reaches(principal, organizationId)) throw new Refusal("queue_item_not_found");
  requireChangeRight(requireMembership(principal, organizationId));
  const runId = withPrefix(queueId, "run");
  const audit = { entryId: ids.make("audit"), actor };
  const canceled = await cancelRun(db, organizationId, runId, { onlyQueued: true, audit });
  if (canceled) {
    onCanceled(organizationId, runId);
    return canceled;
  }
  const state = await findRunState(db, organizationId, runId);
  if (!state?.answeredQueued || state.status === "CANCELED") throw new Refusal("queue_item_not_found");
  throw new Refusal("queue_item_not_waiting", { messageParams: { queueId, runId } });
}
