import type { ReplyUsage, SessionRef } from "../../domain/agent/chat.ts";
import { findUsage } from "../../storage/agent-chat/find-usage.ts";
import type { Db } from "../../storage/pool.ts";

/** What the last reply of a session has cost; for whoever was just given it. */
export function readUsage({ db }: { readonly db: Db }, session: SessionRef): Promise<ReplyUsage | undefined> {
  return findUsage(db, session);
}
