import { createSessionBody, sessionAnswer } from "@millrace/contract/chat";
import type { CreateSession } from "../../operations/agent-chat/create-session.ts";
import { defineRoute } from "../route.ts";

export const createSession = (operation: CreateSession) =>
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
      const { sessionId, externalId } = await operation(principal, params.agentId!, body);
      return { status: 200, body: { success: true, data: { sessionId, externalId } } };
    },
  });
