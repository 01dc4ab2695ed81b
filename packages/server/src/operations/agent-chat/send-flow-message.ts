import type { IdMaker } from "../../domain/ids.ts";
import { wellFormed } from "../../domain/well-formed.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findAgent } from "../../storage/agents/find-agent.ts";
import { insertSession } from "../../storage/agent-chat/sessions.ts";
import { UpstreamError } from "../../upstream/upstream-error.ts";
import { newSession } from "./create-session.ts";
import { beginReply, type ChatContext, wholeReply } from "./send-message.ts";

export interface FlowMessage {
  readonly organizationId: string;
  readonly agentId: string;
  readonly message: string;
  readonly sessionKey?: string;
  /** Of the run that says it. */
  readonly depth: number;
  readonly signal: AbortSignal;
}

/** Flows talk to agents on the same path as everybody else; messages with the same key go to the same session. */
export async function sendFlowMessage(
  context: ChatContext & { readonly ids: IdMaker },
  { organizationId, agentId, message, sessionKey, depth, signal }: FlowMessage,
): Promise<{ text: string; sessionId: string }> {
  const { db, ids } = context;
  const agent = await findAgent(db, agentId);
  if (agent?.organizationId !== organizationId)
    throw new UpstreamError("AgentNotFound", `There is no agent ${agentId} in this organization.`);
  if (!agent.active) throw new UpstreamError("AgentPassive", `The agent ${agentId} is paused.`);
  const session = {
    ...newSession(ids, organizationId, agentId),
    sessionKey: sessionKey && wellFormed(sessionKey),
  };
  const sessionId = await insertSession(db, session);
  try {
    const reply = await beginReply(
      context,
      { organizationId, sessionId },
      { text: wellFormed(message), depth: depth + 1 },
    );
    // A run that is canceled stops listening; the reply goes on, as for every other client.
    signal.addEventListener("abort", reply.close, { once: true });
    const text = await wholeReply(reply).finally(() => signal.removeEventListener("abort", reply.close));
    return { text, sessionId };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Refusal)) throw error;
    const [name, text] = FAILURES[error.code] ?? ["AgentFailed", "The agent could not answer."];
    throw new UpstreamError(name, text);
  }
}

const FAILURES: Partial<Record<Refusal["code"], readonly [name: string, text: string]>> = {
  session_busy: ["AgentUnavailable", "Too many messages wait in this session of the agent."],
  upstream_timed_out: ["AgentTimeout", "The agent's provider did not answer in time."],
  upstream_unavailable: ["AgentUnavailable", "The agent's provider is overloaded or cannot be reached."],
  reply_interrupted: ["AgentUnavailable", "The agent's reply was interrupted."],
};
