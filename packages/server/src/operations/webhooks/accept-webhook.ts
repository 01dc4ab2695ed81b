import { fillInputs, type InputOverrides } from "../../domain/flow/overrides.ts";
import { idempotencyOf, newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { WebhookEnvelope } from "../../domain/webhook-envelope.ts";
import { requireInput } from "../runs/require-input.ts";
import { checkedVersion, requireNeeds } from "../runs/runnable-flow.ts";
import { findReplay, type RunStart, type StartContext, startRun } from "../runs/start-run.ts";

interface WebhookPost {
  readonly organizationId: string;
  readonly flowId: string;
  readonly envelope: WebhookEnvelope;
  readonly idempotencyKey: string | undefined;
}

/** A post that was let in: idempotency, validation, then slot or queue. Returns once the run is durable. */
export async function acceptWebhook(
  context: StartContext,
  { organizationId, flowId, envelope, idempotencyKey }: WebhookPost,
): Promise<RunStart> {
  const { library, ids } = context;
  const idempotency =
    idempotencyKey === undefined ? undefined : idempotencyOf("webhook", flowId, idempotencyKey);
  const known = idempotency && (await findReplay(context, organizationId, idempotency));
  if (known) return known;

  const flow = await library.find(flowId);
  // Deleted since its token was checked.
  if (!flow) throw new Refusal("unauthorized");
  const version = await checkedVersion(library, flow);
  const filled = fillInputs(version.compiled, envelope.body);
  requireNeeds(version.compiled, filled, (key) => ["body", key]);
  if (version.input) {
    const start = { organizationId, flowId, version, overrides: filled, body: envelope.body };
    await requireInput(start, ["body"]);
  }
  const run = newRun(ids, flow, version, {
    triggerSource: "webhook",
    idempotency,
    inputs: byKey(filled),
    trigger: envelope,
  });
  return startRun(context, organizationId, run);
}

/** Only what fills an empty input is kept: later the run's inputs override, and must not override more than this. */
function byKey(filled: InputOverrides): Record<string, unknown> | undefined {
  const entries = [...filled].flatMap(([nodeId, inputs]) =>
    [...inputs].map(([inputName, value]): [string, unknown] => [`${nodeId}_${inputName}`, value]),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
