import { catalogueQuery, flowsAnswer } from "@millrace/contract/flows";
import { listFlows } from "../../operations/flows/list-flows.ts";
import { presentFlow } from "../presenters/flow.ts";
import { presentList } from "../presenters/list.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listFlowsRoute = (context: ContextOf<typeof listFlows>) =>
  defineRoute({
    method: "GET",
    path: "/api/flows",
    name: "listFlows",
    summary: "List flow metadata, newest first",
    tag: "Flows",
    access: "key",
    query: catalogueQuery,
    answers: { 200: { description: "Flows, without their graphs", schema: flowsAnswer } },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query, raw }) {
      return { status: 200, body: presentList(await listFlows(context, principal, query), presentFlow, raw) };
    },
  });
