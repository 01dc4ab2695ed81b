import {
  endpointQuery,
  rotateSecretBody,
  signingSecretAnswer,
} from "@millrace/contract/manage/event-endpoints";
import { parseLifetimeMs } from "../../../domain/lifetime.ts";
import { rotateManagedSecret } from "../../../operations/events/managed-endpoints.ts";
import { presentSigningSecret } from "../../presenters/signing-secret.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const rotateEventEndpointSecretRoute = (context: ContextOf<typeof rotateManagedSecret>) =>
  defineRoute({
    method: "POST",
    path: "/manage/event-endpoints/{endpointId}/rotate-secret",
    name: "rotateEventEndpointSecret",
    summary: "Give an endpoint a new signing secret; the old one signs too for a while",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: endpointQuery,
    body: rotateSecretBody,
    answers: { 200: { description: "The new secret", schema: signingSecretAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found", "secret_still_valid"],
    async handle({ principal, actor, params, query, body: { overlap, force } }) {
      const id = params.endpointId!;
      const change = { ...query, id, overlapMs: parseLifetimeMs(overlap) ?? 0, force };
      return presentSigningSecret(id, await rotateManagedSecret(context, principal, actor, change));
    },
  });
