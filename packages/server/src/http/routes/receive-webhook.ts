import { webhookAcceptedAnswer } from "@millrace/contract/webhook";
import { withPrefix } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { webhookEnvelope } from "../../domain/webhook-envelope.ts";
import type { AcceptWebhook } from "../../operations/webhooks/accept-webhook.ts";
import { refuseClosed, type WebhookGates } from "../../operations/webhooks/webhook-gates.ts";
import { headerText } from "../errors.ts";
import { defineRoute } from "../route.ts";

interface WebhookPath {
  readonly flowId: string;
  readonly token: string;
}

const MAX_KEY_LENGTH = 255;

export const receiveWebhook = (gates: WebhookGates, accept: AcceptWebhook) =>
  defineRoute({
    method: "POST",
    path: "/app/webhooks/millrace/{flowId}/{token}",
    name: "receiveWebhook",
    summary: "Start a flow from outside, by its secret address",
    tag: "Webhooks",
    access: "token",
    bodyTypes: ["json", "form", "text"],
    bodyLimitBytes: 1_048_576,
    answers: {
      202: { description: "The run is stored and will be executed", schema: webhookAcceptedAnswer },
    },
    errors: [
      "invalid_request_body",
      "flow_validation_failed",
      "unauthorized",
      "insufficient_credits",
      "organization_suspended",
      "webhook_disabled",
      "flow_passive",
      "payload_too_large",
      "unsupported_media_type",
      "too_many_requests",
      "service_unavailable",
    ],
    async before(request, reply, limits) {
      // The address is a secret: nobody on the way may keep it or pass it on.
      void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
      const { flowId, token } = request.params as WebhookPath;
      const gate = await gates.open(flowId, token);
      // Wrong tokens have a limit of their own: they must not use up that of the right ones from the same address.
      if (!gate) throw limits.refuseGuess(request, reply);
      limits.takeForWebhookCaller(request, reply);
      refuseClosed(gate, flowId);
      // A sender that names no type is taken to send JSON.
      request.raw.headers["content-type"] ??= "application/json";
    },
    async handle({ raw, reply, limits, params }) {
      const { flowId, token } = params as unknown as WebhookPath;
      const gate = await gates.open(flowId, token);
      if (!gate) throw new Refusal("unauthorized");
      limits.takeForWebhook(gate.organizationId, raw, reply);
      const { runId, answeredQueued } = await accept({
        organizationId: gate.organizationId,
        flowId,
        idempotencyKey: idempotencyKeyOf(headerText(raw, "x-idempotency-key")),
        envelope: webhookEnvelope({ headers: raw.headers, query: raw.query, body: bodyOf(raw.body) }),
      });
      const data = answeredQueued ? { queueId: withPrefix(runId, "queue") } : { runId };
      return { status: 202, body: { success: true, data } };
    },
  });

function bodyOf(body: unknown): unknown {
  if (typeof body === "string" && body.includes("\0"))
    throw new Refusal("invalid_request_body", { issues: [{ path: [], message: "must not contain NUL" }] });
  return body ?? {};
}

function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined || (/^[\x21-\x7e]+$/.test(header) && header.length <= MAX_KEY_LENGTH))
    return header;
  throw new Refusal("invalid_request_body", {
    issues: [
      {
        path: ["headers", "X-Idempotency-Key"],
        message: `must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`,
      },
    ],
  });
}
