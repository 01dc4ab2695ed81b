import type { ReplyUsage, SessionRef } from "../../domain/agent/chat.ts";
import { json, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_USAGE = statement({
  text: `SELECT usage FROM agent_turns WHERE organization_id = $1 AND session_id = $2 ORDER BY number DESC LIMIT 1`,
  columns: { usage: orNull(json<ReplyUsage>()) },
});

/** What the last turn of a session has cost, as far as its provider counts. */
export async function findUsage(
  db: Db,
  { organizationId, sessionId }: SessionRef,
): Promise<ReplyUsage | undefined> {
  const { rows } = await db.query(FIND_USAGE([organizationId, sessionId]));
  return rows[0]?.usage ?? undefined;
}
