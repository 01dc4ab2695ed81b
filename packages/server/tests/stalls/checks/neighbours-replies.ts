import { setTimeout as sleep } from "node:timers/promises";
import { addAgent, addOrganization } from "../../support/workspace.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { urlOf } from "../arena/stalls-workspace.ts";

/** More than one process writes at once. */
const HANGING = 2_050;
const AT_ONCE = 25;
const RETRY_MS = 100;
const MAX_REPLY_MS = 10_000;

/** One asks for everything and never gets an answer; the other one asks once. */
export async function neighboursGetReplies(arena: Arena, { service, db }: Round): Promise<string[]> {
  const { chat, model } = arena.upstreams;
  chat.follow({ replies: [], end: "hang" });
  const reply = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
  model.follow({ replies: [[head, reply]], end: "close" });
  const stop = new AbortController();
  const greedy = await addChatter(db, "org_greedy", urlOf(chat, "/v1"));
  const modest = await addChatter(db, "org_modest", urlOf(model, "/v1"));
  const talk = (key: string, agentId: string, signal: AbortSignal) =>
    say(service.address, key, agentId, signal);
  try {
    const hanging: Promise<unknown>[] = [];
    for (let count = 0; count < HANGING; count += AT_ONCE) {
      const begun = Array.from({ length: AT_ONCE }, () => talk(greedy, "agent_org_greedy", stop.signal));
      hanging.push(...(await Promise.all(begun)).map(({ ended }) => ended));
    }
    const answered = await talk(modest, "agent_org_modest", AbortSignal.timeout(MAX_REPLY_MS));
    const text = await answered.ended;
    return text?.includes("text-delta")
      ? []
      : ["no reply for an organization beside one that asks for everything"];
  } finally {
    stop.abort();
    chat.follow({ replies: [], end: "close" });
    model.follow({ replies: [], end: "close" });
  }
}

async function addChatter(db: Round["db"], organizationId: string, baseUrl: string): Promise<string> {
  await addOrganization(db, organizationId);
  const provider = { type: "openai-compatible", baseUrl, model: "small-1" };
  await addAgent(db, organizationId, `agent_${organizationId}`, { provider });
  return (await addOwnerKey(db, organizationId)).key;
}

/** Returns once the message was sent; `ended` is the whole stream, undefined where it was given up. */
async function say(address: string, key: string, agentId: string, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const sessions = `${address}/api/agents/${agentId}/sessions`;
  const sessionId = await openSession(sessions, headers);
  const ended = fetch(`${sessions}/${sessionId}/messages`, {
    method: "POST",
    headers: { ...headers, accept: "text/event-stream" },
    body: JSON.stringify({ message: "Hello" }),
    signal,
  })
    .then((reply) => reply.text())
    .catch(() => undefined);
  return { ended };
}

/** A busy service turns some away, who come again. */
async function openSession(sessions: string, headers: Record<string, string>): Promise<string> {
  for (;;) {
    const answer = await fetch(sessions, { method: "POST", headers, body: "{}" });
    const { data } = (await answer.json()) as { data?: { sessionId: string } };
    if (data) return data.sessionId;
    if (answer.status !== 503) throw new Error(`a session was answered ${answer.status}`);
    await sleep(RETRY_MS);
  }
}
