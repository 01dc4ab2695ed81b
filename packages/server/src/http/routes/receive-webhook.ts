import type { FastifyReply, FastifyRequest } from "fastify";
import { webhookAcceptedAnswer } from "@millrace/contract/webhook";
import { withPrefix } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { webhookEnvelope } from "../../domain/webhook-envelope.ts";
import type { EndWaits } from "../../operations/runs/end-waits.ts";
import { acceptWebhook } from "../../operations/webhooks/accept-webhook.ts";
import {
  refuseClosed,
  type WebhookGate,
  type WebhookGates,
} from "../../operations/webhooks/webhook-gates.ts";
import { type FlowAnswer, readAnswer } from "../../operations/webhooks/read-answer.ts";
import { goneSignal } from "../gone-signal.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import type { RateLimits } from "../middleware/rate-limit.ts";
import { type Answer, type ContextOf, defineRoute } from "../route.ts";

interface WebhookPath {
  readonly flowId: string;
  readonly token: string;
}

export const receiveWebhookRoute = (
  gates: WebhookGates,
  context: ContextOf<typeof acceptWebhook>,
  waits: EndWaits,
) =>
  defineRoute({
    method: "POST",
    path: "/app/webhooks/millrace/{flowId}/{token}",
    name: "receiveWebhook",
    summary: "Start a flow from outside, by its secret address",
    tag: "Webhooks",
    access: "token",
    headers: {
      "X-Idempotency-Key": "a second delivery with the same key starts nothing new; up to 2,048 characters",
    },
    bodyTypes: ["json", "form", "text"],
    bodyLimitBytes: 1_048_576,
    answers: {
      200: {
        description:
          "Where the flow's webhook.respond waits for it: what its return says, status and headers too",
      },
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
      "run_failed",
      "service_unavailable",
    ],
    async before(request, reply, limits) {
      const { flowId, token } = request.params as WebhookPath;
      const gate = await openGate(gates, { flowId, token }, request, reply, limits);
      limits.takeForWebhookCaller(gate.organizationId, request, reply);
      refuseClosed(gate, flowId);
      // A sender that names no type is taken to send JSON.
      request.raw.headers["content-type"] ??= "application/json";
    },
    async countStray(request, reply, { params, limits }) {
      const gate = await openGate(gates, params as unknown as WebhookPath, request, reply, limits);
      limits.showForWebhook(gate.organizationId, request, reply);
    },
    async handle({ raw, reply, limits, params }) {
      const { flowId, token } = params as unknown as WebhookPath;
      const gate = await gates.open(flowId, token);
      if (!gate) throw new Refusal("unauthorized");
      limits.takeForWebhook(gate.organizationId, raw, reply);
      const { organizationId, respondWaitMs } = gate;
      const { runId, answeredQueued } = await acceptWebhook(context, {
        organizationId,
        flowId,
        idempotencyKey: idempotencyKeyOf(raw, "X-Idempotency-Key"),
        envelope: webhookEnvelope({ headers: raw.headers, query: raw.query, body: bodyOf(raw.body) }),
      });
      const data = answeredQueued ? { queueId: withPrefix(runId, "queue") } : { runId };
      const accepted = { status: 202, body: { success: true, data } };
      if (respondWaitMs === null) return accepted;
      const wait = { organizationId, runId, waitMs: respondWaitMs, gone: goneSignal(reply) };
      const answered = async (): Promise<Answer> =>
        (await waits.untilEnded(wait))
          ? presentFlowAnswer(await readAnswer(context, organizationId, runId))
          : accepted;
      return { ...accepted, later: answered() };
    },
  });

/**
 * A flow may answer with a page. It is shown on the service's own address, so it gets an origin of its own and no scripts:
 * it must not act for whoever is signed in here.
 */
const PAGE_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function presentFlowAnswer({ status, headers, body }: FlowAnswer): Answer {
  return {
    status,
    body,
    headers: {
      ...headers,
      "content-security-policy": PAGE_POLICY,
      "x-content-type-options": "nosniff",
    },
  };
}

function bodyOf(body: unknown): unknown {
  if (typeof body === "string" && body.includes("\0"))
    throw new Refusal("invalid_request_body", { issues: [{ path: [], message: "must not contain NUL" }] });
  return body ?? {};
}

/** @throws Refusal where the token does not open it; every wrong one is counted */
async function openGate(
  gates: WebhookGates,
  { flowId, token }: WebhookPath,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<WebhookGate> {
  // The address is a secret: nobody on the way may keep it or pass it on.
  void reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  const gate = await gates.open(flowId, token);
  // Wrong tokens have a limit of their own: they must not use up that of the right ones from the same address.
  if (!gate) throw limits.refuseGuess(request, reply);
  return gate;
}
