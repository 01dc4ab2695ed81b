import { useQuery } from "@tanstack/react-query";
import type { Agent, ChatStreamEvent, Session } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { readEvents } from "./read-events.ts";
import { readPages } from "./read-pages.ts";
import { request, requestData, send } from "./request.ts";
import type { Page } from "./runs.ts";

export function useAgents() {
  return useQuery({
    queryKey: ["agents"],
    queryFn: async ({ signal }) =>
      (
        await request<{ data: Agent[] }>("/api/agents", {
          query: { organizationId: currentOrganization(), "page[size]": 100 },
          signal,
        })
      ).data,
    staleTime: 30_000,
  });
}

const pathOf = (agentId: string, sessionId: string) =>
  `/api/agents/${encodeURIComponent(agentId)}/sessions/${encodeURIComponent(sessionId)}`;

export async function startChat(agentId: string): Promise<string> {
  const { sessionId } = await requestData<Session>(`/api/agents/${encodeURIComponent(agentId)}/sessions`, {
    method: "POST",
    body: { organizationId: currentOrganization(), endUserId: "console" },
  });
  return sessionId;
}

export interface AgentSession {
  readonly sessionId: string;
  readonly endUserId?: string;
  readonly sessionKey?: string;
  readonly turns: number;
  readonly lastActivityAt: string;
}

export interface AgentTurn {
  readonly number: number;
  readonly status: "queued" | "running" | "completed" | "failed";
  readonly message?: string;
  readonly reply?: string;
  readonly error?: string;
  readonly valuesHidden?: boolean;
}

const MAX_TURN_PAGES = 20;

/** What was said in a session, from its start on. */
export function readTranscript(
  agentId: string,
  sessionId: string,
  signal: AbortSignal,
): Promise<AgentTurn[]> {
  return readPages(MAX_TURN_PAGES, (after) =>
    requestData<Page<AgentTurn>>(
      `/manage/agents/${encodeURIComponent(agentId)}/sessions/${encodeURIComponent(sessionId)}`,
      { query: { "page[size]": 100, "page[after]": after }, signal },
    ),
  );
}

/** A piece of a reply, with its place in the session. */
export type ChatEvent = ChatStreamEvent & { readonly id: string | undefined };

/** A reply as it is written. */
export async function* sendMessage(
  agentId: string,
  sessionId: string,
  message: string,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const answer = await send(
    `${pathOf(agentId, sessionId)}/messages`,
    {
      method: "POST",
      query: { include: "tools" },
      body: { organizationId: currentOrganization(), message },
      signal,
    },
    "text/event-stream",
  );
  if (answer.body) yield* readEvents<ChatStreamEvent>(answer.body);
}

/** What came after an event and what still comes; nothing where nothing does. */
export async function* resumeReply(
  agentId: string,
  sessionId: string,
  lastEventId: string,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const answer = await send(
    `${pathOf(agentId, sessionId)}/stream`,
    { query: { organizationId: currentOrganization(), lastEventId, include: "tools" }, signal },
    "text/event-stream",
  );
  if (answer.status === 200 && answer.body) yield* readEvents<ChatStreamEvent>(answer.body);
}
