import { catalogueQuery, flowsAnswer } from "@millrace/contract/flows";
import type { ListFlows } from "../../operations/flows/list-flows.ts";
import { presentFlow } from "../presenters/flow.ts";
import { presentList } from "../presenters/list.ts";
import { defineRoute } from "../route.ts";

export const listFlows = (operation: ListFlows) =>
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
    async handle({ principal, query }) {
      return { status: 200, body: presentList(await operation(principal, query), presentFlow) };
    },
  });
