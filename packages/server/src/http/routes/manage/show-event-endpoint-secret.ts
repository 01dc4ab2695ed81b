import { endpointQuery, signingSecretAnswer } from "@millrace/contract/manage/event-endpoints";
import { showManagedSecret } from "../../../operations/events/managed-endpoints.ts";
import { presentSigningSecret } from "../../presenters/signing-secret.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const showEventEndpointSecretRoute = (context: ContextOf<typeof showManagedSecret>) =>
  defineRoute({
    method: "GET",
    path: "/manage/event-endpoints/{endpointId}/secret",
    name: "showEventEndpointSecret",
    summary: "Show the secret that signs the events of an endpoint",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: endpointQuery,
    answers: { 200: { description: "The secret", schema: signingSecretAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, params, query }) {
      const id = params.endpointId!;
      return presentSigningSecret(id, await showManagedSecret(context, principal, id, query));
    },
  });
