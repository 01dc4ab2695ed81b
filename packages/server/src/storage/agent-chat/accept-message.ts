import type { SessionRef } from "../../domain/agent/chat.ts";
import { assumed, bigint, integer, oneOf } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const ACCEPT_MESSAGE = statement({
  name: "accept-message",
  text: `SELECT number, status, first_seq AS "firstSeq" FROM accept_chat_message($1, $2)`,
  columns: {
    number: assumed(integer),
    status: assumed(oneOf("queued", "running")),
    /** The last event before this turn; of a queued one, as far as it is known yet. */
    firstSeq: assumed(bigint),
  },
});

export type AcceptedTurn = Row<typeof ACCEPT_MESSAGE>;

/** Stores the message before anything is answered. Undefined: too many wait in this session already. */
export async function acceptMessage(
  db: Db,
  { organizationId, sessionId }: SessionRef,
  { text, depth }: { readonly text: string; readonly depth: number },
  claim: { readonly processId: string | null; readonly leaseMs: number; readonly maxWaiting: number },
): Promise<AcceptedTurn | undefined> {
  const { rows } = await db.query(
    ACCEPT_MESSAGE([
      {
        organization_id: organizationId,
        session_id: sessionId,
        process_id: claim.processId,
        lease_ms: claim.leaseMs,
        max_waiting: claim.maxWaiting,
        depth,
      },
      text,
    ]),
  );
  return rows[0];
}
