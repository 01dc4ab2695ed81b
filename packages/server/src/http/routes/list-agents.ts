import { agentsAnswer } from "@millrace/contract/agents";
import { catalogueQuery } from "@millrace/contract/flows";
import { listAgents } from "../../operations/agents/list-agents.ts";
import { presentAgent } from "../presenters/agent.ts";
import { presentList } from "../presenters/list.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listAgentsRoute = (context: ContextOf<typeof listAgents>) =>
  defineRoute({
    method: "GET",
    path: "/api/agents",
    name: "listAgents",
    summary: "List agent metadata, newest first",
    tag: "Agents",
    access: "key",
    query: catalogueQuery,
    answers: { 200: { description: "Agents, without their design", schema: agentsAnswer } },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query, raw }) {
      return {
        status: 200,
        body: presentList(await listAgents(context, principal, query), presentAgent, raw),
      };
    },
  });
