import { createSessionBody, sessionAnswer } from "@millrace/contract/chat";
import { createSession } from "../../operations/agent-chat/create-session.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const createSessionRoute = (context: ContextOf<typeof createSession>) =>
  defineRoute({
    method: "POST",
    path: "/api/agents/{agentId}/sessions",
    name: "createSession",
    summary: "Begin a chat with an agent",
    tag: "Agents",
    access: "key",
    body: createSessionBody,
    bodyLimitBytes: 65_536,
    answers: { 200: { description: "The new session", schema: sessionAnswer } },
    errors: [
      "invalid_request_body",
      "invalid_agent_id",
      "access_denied",
      "organization_access_denied",
      "agent_not_found",
      "agent_passive",
    ],
    async handle({ principal, params, body }) {
      const { sessionId, externalId } = await createSession(context, principal, params.agentId!, body);
      return { status: 200, body: { success: true, data: { sessionId, externalId } } };
    },
  });
