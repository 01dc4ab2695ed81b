import { bytes, text, texts, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_SHARE = statement({
  text: `SELECT s.organization_id AS "organizationId", s.id, s.run_id AS "runId", s.token_hash AS "tokenHash", s.reveal,
            s.expires_at AS "expiresAt"
       FROM run_shares s JOIN organizations o ON o.id = s.organization_id
      WHERE s.id = $1 AND s.revoked_at IS NULL AND s.expires_at > millrace_now() AND NOT o.suspended`,
  columns: {
    organizationId: text,
    id: text,
    runId: text,
    tokenHash: bytes,
    reveal: texts,
    expiresAt: timestamp,
  },
});

export type StoredShare = Row<typeof FIND_SHARE>;

/** A link that still shows something. */
export async function findShare(db: Db, shareId: string): Promise<StoredShare | undefined> {
  const { rows } = await db.query(FIND_SHARE([shareId]));
  return rows[0];
}
