import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { organizationsFor, type Principal, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import { findRunOwner } from "../../storage/runs/find-run-owner.ts";
import { revokeShare as storeRevocation } from "../../storage/shares/revoke-share.ts";
import { recordAudit } from "../audit/record-audit.ts";

/** The link shows nothing from now on; a second time it says since when. */
export async function revokeShare(
  { pool, ids }: { readonly pool: Pool; readonly ids: IdMaker },
  principal: Principal,
  actor: Actor,
  runId: string,
  shareId: string,
): Promise<Date> {
  const run = await findRunOwner(pool, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  const { organizationId } = run;
  requireRole(principal, organizationId, "member");
  return transaction(pool, async (db) => {
    const revokedAt = await storeRevocation(db, organizationId, runId, shareId);
    if (!revokedAt) throw new Refusal("link_not_found");
    const after = { shareId, revokedAt };
    await recordAudit({ db, ids }, actor, { organizationId, action: "run.unshare", target: runId, after });
    return revokedAt;
  });
}
