import { endpointsAnswer, endpointsQuery } from "@millrace/contract/manage/event-endpoints";
import { listEndpoints } from "../../../operations/events/managed-endpoints.ts";
import { presentEndpoint } from "../../presenters/event-endpoint.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listEventEndpointsRoute = (context: ContextOf<typeof listEndpoints>) =>
  defineRoute({
    method: "GET",
    path: "/manage/event-endpoints",
    name: "listEventEndpoints",
    summary: "List where events are sent to, and how that goes",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: endpointsQuery,
    answers: { 200: { description: "A page of endpoints", schema: endpointsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listEndpoints(context, principal, query);
      return { status: 200, body: presentPage(page, presentEndpoint) };
    },
  });
