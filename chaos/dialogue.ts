import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./api-client.ts";
import type { Random } from "./random.ts";
import { agentOf } from "./workspace.ts";

const MAX_LOOKS = 20;
const LOOK_MS = 300;

interface Asked {
  readonly organizationId: string;
  readonly runId: string;
  readonly api: number;
}

/** Looks until the run asks, and answers; sometimes two answer at once and do not agree. */
export async function answerWhenAsked(
  client: ApiClient,
  { organizationId, runId, api }: Asked,
  random: Random,
): Promise<void> {
  const path = `/api/runs/${runId}`;
  const about = { runId };
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const { answer } = await client.call({ kind: "get", organizationId, api, method: "GET", path, about });
    if ((answer as { status?: string } | undefined)?.status === "PAUSED") break;
    await sleep(LOOK_MS);
  }
  const answer = (decision: "approved" | "rejected", at: number) =>
    client.call({
      kind: "answer",
      organizationId,
      api: at,
      method: "POST",
      path: `${path}/resume`,
      about: { runId, decision },
      body: () => ({ nodeId: "ask", decision }),
    });
  if (random.chance(0.5)) await answer(random.pick(["approved", "rejected"]), api);
  else await Promise.all([answer("approved", 0), answer("rejected", 1)]);
}

/** A session with one or two messages, each sent once. */
export async function talk(client: ApiClient, organizationId: string, random: Random): Promise<void> {
  const sessions = `/api/agents/${agentOf(organizationId)}/sessions`;
  const api = random.between(0, 1);
  const made = await client.call({
    kind: "session",
    organizationId,
    api,
    method: "POST",
    path: sessions,
    body: () => ({}),
  });
  const { sessionId } = (made.outcome === "ok" ? made.answer : {}) as { sessionId?: string };
  if (sessionId === undefined) return;
  for (let messages = random.between(1, 2); messages > 0; messages--)
    await client.call({
      kind: "message",
      organizationId,
      api: api + messages,
      method: "POST",
      path: `${sessions}/${sessionId}/messages`,
      about: { sessionId },
      body: ({ id }) => ({ message: `This is ${id}.` }),
    });
}
