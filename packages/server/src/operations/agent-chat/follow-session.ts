import type { ChatEvent, SessionRef } from "../../domain/agent/chat.ts";
import { endsTurn, parseEventId } from "../../domain/agent/chat.ts";
import { mayReadValues, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { roleNeeded } from "../../domain/role.ts";
import { isIdleAfter } from "../../storage/agent-chat/read-events.ts";
import { findSession } from "../../storage/agent-chat/sessions.ts";
import type { Db } from "../../storage/pool.ts";
import { requireAgent } from "./chat-access.ts";
import type { ChatContext, Reply } from "./send-message.ts";

/** What came after a cursor, and what still comes until nothing is under way. Undefined: nothing newer, nothing running. */
export async function followSession(
  { db, runner: { feeds } }: Pick<ChatContext, "db" | "runner">,
  principal: Principal,
  agentId: string,
  sessionId: string,
  asked: { readonly organizationId?: string | undefined; readonly lastEventId: string | undefined },
): Promise<Reply | undefined> {
  const { lastEventId } = asked;
  const { organizationId } = await requireAgent(
    { db },
    principal,
    agentId,
    asked.organizationId,
    "invalid_query",
  );
  // A chat is nothing but messages.
  if (!mayReadValues(principal, organizationId)) throw roleNeeded("member");
  const given = lastEventId === undefined ? undefined : parseEventId(lastEventId);
  if (lastEventId !== undefined && given === undefined) throw new Refusal("invalid_last_event_id");
  const found = await findSession(db, organizationId, agentId, sessionId);
  if (!found) throw new Refusal("session_not_found");
  const { lastSeq, newestSeq, openTurn, runningFrom } = found;
  // Without a cursor: the reply that is being written, from its start.
  const cursor = given === undefined ? (runningFrom ?? lastSeq) : Math.min(given, newestSeq);
  if (openTurn === null && cursor >= lastSeq) return undefined;
  feeds.refuseWhenFull(organizationId);
  const session = { organizationId, sessionId };
  const subscription = feeds.subscribe(session, cursor, { behind: true });
  return {
    cursor,
    events: eventsUntilIdle(db, session, subscription),
    close: () => subscription.close(),
  };
}

async function* eventsUntilIdle(
  db: Db,
  session: SessionRef,
  events: AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent, undefined, undefined> {
  for await (const event of events) {
    yield event;
    if (endsTurn(event) && (await isIdleAfter(db, session, event.seq))) return;
  }
}
