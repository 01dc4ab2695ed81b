import { agentAnswer, agentQuery } from "@millrace/contract/agents";
import type { GetAgent } from "../../operations/agents/get-agent.ts";
import { presentAgent } from "../presenters/agent.ts";
import { defineRoute } from "../route.ts";

export const getAgent = (operation: GetAgent) =>
  defineRoute({
    method: "GET",
    path: "/api/agents/{agentId}",
    name: "getAgent",
    summary: "Get the metadata of one agent",
    tag: "Agents",
    access: "key",
    query: agentQuery,
    answers: { 200: { description: "The agent, without its design", schema: agentAnswer } },
    errors: ["invalid_agent_id", "organization_access_denied", "agent_not_found"],
    async handle({ principal, params, query }) {
      const agent = await operation(principal, params.agentId!, query.organizationId);
      return { status: 200, body: { success: true, data: presentAgent(agent) } };
    },
  });
