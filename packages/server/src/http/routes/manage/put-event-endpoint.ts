import { endpointAnswer, putEndpointBody } from "@millrace/contract/manage/event-endpoints";
import { putEndpoint } from "../../../operations/events/managed-endpoints.ts";
import { presentEndpoint } from "../../presenters/event-endpoint.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const putEventEndpointRoute = (context: ContextOf<typeof putEndpoint>) =>
  defineRoute({
    method: "PUT",
    path: "/manage/event-endpoints/{endpointId}",
    name: "putEventEndpoint",
    summary: "Create an event endpoint, or change its address and events",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: putEndpointBody,
    answers: { 200: { description: "The endpoint", schema: endpointAnswer } },
    errors: ["invalid_id", "organization_access_denied"],
    async handle({ principal, actor, params, body }) {
      const endpoint = await putEndpoint(context, principal, actor, params.endpointId!, body);
      return { status: 200, body: { success: true, data: presentEndpoint(endpoint) } };
    },
  });
