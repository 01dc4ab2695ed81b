import { endpointQuery, resendBody, resentAnswer } from "@millrace/contract/manage/event-endpoints";
import { resendDeliveries } from "../../../operations/events/managed-deliveries.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const resendDeliveriesRoute = (context: ContextOf<typeof resendDeliveries>) =>
  defineRoute({
    method: "POST",
    path: "/manage/event-endpoints/{endpointId}/deliveries/resend",
    name: "resendDeliveries",
    summary: "Send one event, or those of a time, to an endpoint again, with the same ids",
    tag: "Manage",
    access: "key",
    role: "member",
    query: endpointQuery,
    body: resendBody,
    answers: { 200: { description: "How many are sent again", schema: resentAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, actor, params, query, body }) {
      const asked = { ...query, endpointId: params.endpointId! };
      const resent = await resendDeliveries(context, principal, actor, asked, body);
      return { status: 200, body: { success: true, data: { resent } } };
    },
  });
