import { useQuery } from "@tanstack/react-query";
import type { Agent, ChatStreamEvent, Session } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { readEvents } from "./read-events.ts";
import { request, requestData, send } from "./request.ts";

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

/** A reply as it is written. */
export async function* sendMessage(
  agentId: string,
  sessionId: string,
  message: string,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  const answer = await send(
    `${pathOf(agentId, sessionId)}/messages`,
    { method: "POST", body: { organizationId: currentOrganization(), message }, signal },
    "text/event-stream",
  );
  if (answer.body) yield* readEvents<ChatStreamEvent>(answer.body);
}

/** The reply that is being written, from its start; nothing where none is. */
export async function* resumeReply(
  agentId: string,
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  const answer = await send(
    `${pathOf(agentId, sessionId)}/stream`,
    { query: { organizationId: currentOrganization() }, signal },
    "text/event-stream",
  );
  if (answer.status === 200 && answer.body) yield* readEvents<ChatStreamEvent>(answer.body);
}
