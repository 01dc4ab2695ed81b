import type { SessionRef, TurnRef } from "../../domain/agent/chat.ts";
import type { Db } from "../pool.ts";

export interface ClaimedTurn extends TurnRef {
  readonly firstSeq: number;
  readonly message: string;
}

/** The next waiting message of a session, where nobody answers one already. */
export async function claimTurn(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  processId: string,
  leaseMs: number,
): Promise<ClaimedTurn | undefined> {
  const { rows } = await db.query({
    name: "claim-turn",
    text: `SELECT number, first_seq AS "firstSeq", user_text AS message FROM claim_agent_turn($1, $2, $3, $4)`,
    values: [organizationId, sessionId, processId, leaseMs],
  });
  return rows[0] && { organizationId, sessionId, ...rows[0] };
}

/** Sessions where messages wait and nobody answers: their process stopped or was lost. */
export async function findIdleSessions(db: Db, limit: number): Promise<SessionRef[]> {
  const { rows } = await db.query({
    name: "find-idle-sessions",
    text: `
SELECT DISTINCT q.organization_id AS "organizationId", q.session_id AS "sessionId" FROM agent_turns q
 WHERE q.status = 'queued'
   AND NOT EXISTS (SELECT FROM agent_turns r
                    WHERE r.organization_id = q.organization_id AND r.session_id = q.session_id AND r.status = 'running')
 LIMIT $1`,
    values: [limit],
  });
  return rows;
}
