import { agentSessionsQuery, transcriptAnswer } from "@millrace/contract/manage/agent-sessions";
import { readTranscript } from "../../../operations/agent-chat/list-sessions.ts";
import { presentAgentSession, presentTurn } from "../../presenters/agent-sessions.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getTranscriptRoute = (context: ContextOf<typeof readTranscript>) =>
  defineRoute({
    method: "GET",
    path: "/manage/agents/{agentId}/sessions/{sessionId}",
    name: "getTranscript",
    summary: "Get what was said in a chat session, oldest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: agentSessionsQuery,
    answers: { 200: { description: "The session and a page of its turns", schema: transcriptAnswer } },
    errors: ["invalid_agent_id", "agent_not_found", "session_not_found"],
    async handle({ principal, params, query }) {
      const of = { agentId: params.agentId!, sessionId: params.sessionId! };
      const { session, turns, showsValues } = await readTranscript(context, principal, of, query);
      const present = (turn: (typeof turns.items)[number]) => presentTurn(turn, showsValues);
      return { status: 200, body: presentPage(turns, present, { session: presentAgentSession(session) }) };
    },
  });
