import { agentAnswer, agentQuery } from "@millrace/contract/agents";
import { getAgent } from "../../operations/agents/get-agent.ts";
import { presentAgent } from "../presenters/agent.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const getAgentRoute = (context: ContextOf<typeof getAgent>) =>
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
      const agent = await getAgent(context, principal, params.agentId!, query.organizationId);
      return { status: 200, body: { success: true, data: presentAgent(agent) } };
    },
  });
