import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { hasRole } from "../../domain/role.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import { endSession as storeEnd } from "../../storage/sessions/end-session.ts";
import { recordAudit } from "../audit/record-audit.ts";

/** One's own session, or that of somebody in an organization of one's own. It ends everywhere within five seconds. */
export async function endSession(
  { pool, ids }: { readonly pool: Pool; readonly ids: IdMaker },
  principal: Principal,
  actor: Actor,
  sessionId: string,
): Promise<void> {
  const owned = [...principal.organizations].filter(
    ([, { role, suspended }]) => !suspended && hasRole(role, "owner"),
  );
  await transaction(pool, async (db) => {
    const of = { userId: principal.user.id, organizationIds: owned.map(([id]) => id) };
    const ended = await storeEnd(db, sessionId, of);
    if (!ended) throw new Refusal("session_not_found");
    const concerned = ended.userId === principal.user.id ? [...principal.organizations] : owned;
    const changes = concerned.map(([organizationId]) => ({
      organizationId,
      action: "session.end",
      target: sessionId,
      before: ended,
    }));
    await recordAudit({ db, ids }, actor, ...changes);
  });
}
