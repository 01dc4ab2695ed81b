import { managedFlowsAnswer, managedFlowsQuery } from "@millrace/contract/manage/flows";
import { listFlowsToManage } from "../../../operations/manage-flows/list-flows.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentManagedFlow } from "../../presenters/managed-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listManagedFlowsRoute = (context: ContextOf<typeof listFlowsToManage>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows",
    name: "listManagedFlows",
    summary: "List the flows of an organization with their state, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: managedFlowsQuery,
    answers: { 200: { description: "A page of flows", schema: managedFlowsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listFlowsToManage(context, principal, query);
      return { status: 200, body: presentPage(page, presentManagedFlow) };
    },
  });
