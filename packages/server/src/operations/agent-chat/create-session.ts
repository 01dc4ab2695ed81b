import { randomBase62 } from "../../domain/base62.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import { insertSession } from "../../storage/agent-chat/sessions.ts";
import type { Db } from "../../storage/pool.ts";
import { requireAgent, requireChatRight } from "./chat-access.ts";

interface CreatedSession {
  readonly sessionId: string;
  readonly externalId: string;
}

export async function createSession(
  { db, ids }: { readonly db: Db; readonly ids: IdMaker },
  principal: Principal,
  agentId: string,
  asked: { readonly organizationId?: string | undefined; readonly endUserId?: string | undefined },
): Promise<CreatedSession> {
  const { organizationId, endUserId } = asked;
  const agent = await requireAgent({ db }, principal, agentId, organizationId, "invalid_request_body");
  requireChatRight(principal, agent);
  const session = newSession(ids, agent.organizationId, agentId);
  const sessionId = await insertSession(db, { ...session, endUserId });
  return { sessionId, externalId: session.externalId };
}

/** `externalId` tells nothing about anybody. */
export function newSession(ids: IdMaker, organizationId: string, agentId: string) {
  return {
    organizationId,
    agentId,
    id: ids.make("session"),
    externalId: `chat_${randomBase62(24)}`,
    eventId: ids.make("evt"),
  };
}
