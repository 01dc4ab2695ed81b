import { agentSessionsAnswer, agentSessionsQuery } from "@millrace/contract/manage/agent-sessions";
import { listSessions } from "../../../operations/agent-chat/list-sessions.ts";
import { presentAgentSession } from "../../presenters/agent-sessions.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listAgentSessionsRoute = (context: ContextOf<typeof listSessions>) =>
  defineRoute({
    method: "GET",
    path: "/manage/agents/{agentId}/sessions",
    name: "listAgentSessions",
    summary: "List the chat sessions of an agent, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: agentSessionsQuery,
    answers: { 200: { description: "A page of sessions", schema: agentSessionsAnswer } },
    errors: ["invalid_agent_id", "agent_not_found"],
    async handle({ principal, params, query }) {
      const page = await listSessions(context, principal, params.agentId!, query);
      return { status: 200, body: presentPage(page, presentAgentSession) };
    },
  });
