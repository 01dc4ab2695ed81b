import type { ChatEvent, SessionRef } from "../../domain/agent/chat.ts";
import { endsTurn } from "../../domain/agent/chat.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type AcceptedTurn, acceptMessage } from "../../storage/agent-chat/accept-message.ts";
import { findSession } from "../../storage/agent-chat/sessions.ts";
import type { Db } from "../../storage/pool.ts";
import { requireAgent, requireChatRight } from "./chat-access.ts";
import type { ChatSettings } from "./chat-settings.ts";
import type { TurnRunner } from "./turn-runner.ts";

/** A reply on its way. Leaving it stops nothing. */
export interface Reply {
  /** The event before the first one of the reply. */
  readonly cursor: number;
  /** Events of this turn alone, to its `done` or `error`; it ends without either where this process stops. */
  readonly events: AsyncIterable<ChatEvent>;
  /** Stops listening, also where the next event is being waited for. */
  close(): void;
}

export interface ChatContext {
  readonly db: Db;
  readonly runner: TurnRunner;
  readonly settings: ChatSettings;
}

export async function sendMessage(
  context: ChatContext,
  principal: Principal,
  agentId: string,
  sessionId: string,
  {
    organizationId: asked,
    message,
  }: { readonly organizationId?: string | undefined; readonly message: string },
): Promise<Reply> {
  const { db, runner } = context;
  const agent = await requireAgent(context, principal, agentId, asked, "invalid_request_body");
  const { organizationId } = agent;
  if (!(await findSession(db, organizationId, agentId, sessionId))) throw new Refusal("session_not_found");
  requireChatRight(principal, agent);
  runner.feeds.refuseWhenFull(organizationId);
  return beginReply(context, { organizationId, sessionId }, { text: message, depth: 0 });
}

/** Stores the message, begins to answer it here where that may be, and follows the answer wherever it is written. */
export async function beginReply(
  { db, runner, settings }: ChatContext,
  session: SessionRef,
  message: { readonly text: string; readonly depth: number },
): Promise<Reply> {
  const { leaseMs, maxWaiting } = settings;
  const hasPlace = runner.takePlace(session.organizationId);
  const processId = hasPlace ? runner.processId : null;
  let begins = false;
  let turn: AcceptedTurn | undefined;
  try {
    turn = await acceptMessage(db, session, message, { processId, leaseMs, maxWaiting });
    begins = turn?.status === "running";
  } finally {
    if (hasPlace && !begins) runner.giveBackPlace(session.organizationId);
  }
  if (!turn) throw new Refusal("session_busy", { retryAfterSeconds: 1 });
  const { number, firstSeq } = turn;
  const subscription = runner.feeds.subscribe(session, firstSeq, { behind: !begins });
  if (begins) runner.begin({ ...session, number, firstSeq, message: message.text });
  return {
    cursor: firstSeq,
    events: eventsOfTurn(subscription, number),
    close: () => subscription.close(),
  };
}

async function* eventsOfTurn(
  events: AsyncIterable<ChatEvent>,
  number: number,
): AsyncGenerator<ChatEvent, undefined, undefined> {
  for await (const event of events) {
    if (event.turn !== number) continue;
    yield event;
    if (endsTurn(event)) return;
  }
}

/** The whole text, or the refusal that stands for its failure. */
export async function wholeReply({ events }: Reply): Promise<string> {
  for await (const event of events) {
    if (event.type === "done") return event.text;
    if (event.type === "error") throw new Refusal(event.code);
  }
  throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
}
