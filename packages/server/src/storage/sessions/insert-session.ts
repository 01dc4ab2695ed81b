import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { SESSION_LIFE } from "./session-life.ts";

export interface NewSession {
  readonly id: string;
  readonly hash: Buffer;
  readonly userId: string;
  readonly method: "link" | "key" | "oidc";
  readonly keyId: string | undefined;
  readonly address: string | undefined;
  readonly userAgent: string | undefined;
}

const INSERT_SESSION = statement({
  text: `INSERT INTO console_sessions (id, hash, user_id, method, key_id, address, user_agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, millrace_now(), millrace_now(), millrace_now() + ${SESSION_LIFE})
     RETURNING expires_at`,
  columns: { expires_at: timestamp },
});

/** Returns when it ends at the latest. */
export async function insertSession(db: Db, session: NewSession): Promise<Date> {
  const { id, hash, userId, method, keyId, address, userAgent } = session;
  const { rows } = await db.query(INSERT_SESSION([id, hash, userId, method, keyId, address, userAgent]));
  return rows[0]!.expires_at;
}
