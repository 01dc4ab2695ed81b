import type { PageRequest } from "../../domain/cursor.ts";
import { oneOf, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import type { RowOf } from "../statement.ts";
import { SESSION_END, SESSION_LIVES } from "./session-life.ts";

const COLUMNS = {
  id: text,
  userId: text,
  method: oneOf("link", "key", "oidc"),
  keyId: orNull(text),
  address: orNull(text),
  userAgent: orNull(text),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
};

export type SessionRecord = RowOf<typeof COLUMNS>;

const LIST_SESSIONS = keysetList({
  text: `SELECT * FROM (
       SELECT s.id, s.user_id AS "userId", s.method, s.key_id AS "keyId", s.address, s.user_agent AS "userAgent",
              s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", ${SESSION_END} AS "expiresAt", s.created_at
         FROM console_sessions s LEFT JOIN api_keys k ON k.id = s.key_id
        WHERE ${SESSION_LIVES}
          AND (s.user_id = $1::jsonb->>'userId' OR EXISTS (
            SELECT FROM memberships m WHERE m.user_id = s.user_id AND m.organization_id = $1::jsonb->>'organizationId'
               AND (k.organization_id IS NULL OR k.organization_id = m.organization_id)))
     ) sessions WHERE true`,
  columns: { ...COLUMNS, created_at: timestamp },
});

export interface SessionFilter {
  readonly userId?: string;
  /** Of everybody who reaches this organization. */
  readonly organizationId?: string;
}

/** Sessions that live, newest first. */
export async function listSessions(
  db: Db,
  filter: SessionFilter,
  page: PageRequest,
): Promise<SessionRecord[]> {
  const { rows } = await db.query(LIST_SESSIONS(JSON.stringify(filter), page));
  return rows;
}
