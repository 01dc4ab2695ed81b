import type { SessionRef } from "../../domain/agent/chat.ts";
import type { Db } from "../pool.ts";

export interface AcceptedTurn {
  readonly number: number;
  readonly status: "queued" | "running";
  /** The last event before this turn; of a queued one, as far as it is known yet. */
  readonly firstSeq: number;
}

/** Stores the message before anything is answered. Undefined: too many wait in this session already. */
export async function acceptMessage(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  { text, depth }: { readonly text: string; readonly depth: number },
  claim: { readonly processId: string | null; readonly leaseMs: number; readonly maxWaiting: number },
): Promise<AcceptedTurn | undefined> {
  const { rows } = await db.query({
    name: "accept-message",
    text: `SELECT number, status, first_seq AS "firstSeq" FROM accept_chat_message($1, $2)`,
    values: [
      {
        organization_id: organizationId,
        session_id: sessionId,
        process_id: claim.processId,
        lease_ms: claim.leaseMs,
        max_waiting: claim.maxWaiting,
        depth,
      },
      text,
    ],
  });
  return rows[0];
}
