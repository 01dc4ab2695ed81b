import { endpointAnswer, endpointQuery } from "@millrace/contract/manage/event-endpoints";
import { switchManagedEndpoint } from "../../../operations/events/managed-endpoints.ts";
import { presentEndpoint } from "../../presenters/event-endpoint.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

type Context = ContextOf<typeof switchManagedEndpoint>;

export const enableEventEndpointRoute = (context: Context) =>
  switchRoute(context, "enable", "Send events to an endpoint again, from now on");

export const disableEventEndpointRoute = (context: Context) =>
  switchRoute(context, "disable", "Send no events to an endpoint");

function switchRoute(context: Context, verb: "enable" | "disable", summary: string) {
  return defineRoute({
    method: "POST",
    path: `/manage/event-endpoints/{endpointId}/${verb}`,
    name: `${verb}EventEndpoint`,
    summary,
    tag: "Manage",
    access: "key",
    role: "admin",
    query: endpointQuery,
    answers: { 200: { description: "The endpoint", schema: endpointAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, actor, params, query }) {
      const change = { ...query, id: params.endpointId!, enabled: verb === "enable" };
      const endpoint = await switchManagedEndpoint(context, principal, actor, change);
      return { status: 200, body: { success: true, data: presentEndpoint(endpoint) } };
    },
  });
}
