import type { GivenChat } from "../../domain/agent/chat-messages.ts";
import type { SessionRef } from "../../domain/agent/chat.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type Principal, reaches } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { insertHistory } from "../../storage/agent-chat/insert-history.ts";
import { findAgent } from "../../storage/agents/find-agent.ts";
import type { Db } from "../../storage/pool.ts";
import { createSession } from "./create-session.ts";
import { type ChatContext, type Reply, sendMessage } from "./send-message.ts";

export interface WantedCompletion {
  readonly agentId: string;
  readonly chat: GivenChat;
  readonly endUserId: string | undefined;
  /** Goes on with this one, in which the history is stored; what the caller says of it is not looked at. */
  readonly sessionId: string | undefined;
}

export interface Completion {
  readonly session: SessionRef;
  readonly reply: Reply;
}

/** Answers a conversation that the caller brings along: in a session of its own, or the one that it names. */
export async function completeChat(
  context: ChatContext & { readonly ids: IdMaker },
  principal: Principal,
  { agentId, chat, endUserId, sessionId: known }: WantedCompletion,
): Promise<Completion> {
  const { organizationId } = await reachableAgent(context, principal, agentId);
  const sessionId =
    known ?? (await openSession(context, principal, { agentId, organizationId, endUserId, chat }));
  const message = { organizationId, message: chat.message };
  const reply = await sendMessage(context, principal, agentId, sessionId, message);
  return { session: { organizationId, sessionId }, reply };
}

/** By its id alone; one of another organization is as absent as none. */
export async function reachableAgent(
  { db }: { readonly db: Db },
  principal: Principal,
  agentId: string,
): Promise<AgentRecord> {
  const agent = await findAgent(db, agentId);
  if (!agent || !reaches(principal, agent.organizationId)) throw new Refusal("agent_not_found");
  return agent;
}

async function openSession(
  context: { readonly db: Db; readonly ids: IdMaker },
  principal: Principal,
  {
    agentId,
    organizationId,
    endUserId,
    chat,
  }: Omit<WantedCompletion, "sessionId"> & { organizationId: string },
): Promise<string> {
  const { sessionId } = await createSession(context, principal, agentId, { organizationId, endUserId });
  await insertHistory(context.db, { organizationId, sessionId }, chat.earlier);
  return sessionId;
}
