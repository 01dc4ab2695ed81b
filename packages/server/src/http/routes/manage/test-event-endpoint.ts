import { endpointQuery, endpointTestedAnswer } from "@millrace/contract/manage/event-endpoints";
import { testManagedEndpoint } from "../../../operations/events/managed-endpoints.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const testEventEndpointRoute = (context: ContextOf<typeof testManagedEndpoint>) =>
  defineRoute({
    method: "POST",
    path: "/manage/event-endpoints/{endpointId}/test",
    name: "testEventEndpoint",
    summary: "Send a test event from the service, and say what came of it",
    tag: "Manage",
    access: "key",
    role: "admin",
    lasting: true,
    query: endpointQuery,
    answers: { 200: { description: "Whether it arrived", schema: endpointTestedAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, actor, params, query }) {
      const tested = await testManagedEndpoint(context, principal, actor, params.endpointId!, query);
      const { eventId, delivered, status, failure, durationMs } = tested;
      const data = {
        eventId,
        delivered,
        ...(status !== undefined && { status }),
        ...(failure !== undefined && { failure }),
        durationMs,
      };
      return { status: 200, body: { success: true, data } };
    },
  });
