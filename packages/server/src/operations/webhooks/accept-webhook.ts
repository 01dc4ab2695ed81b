import { fillInputs, type InputOverrides } from "../../domain/flow/overrides.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { idempotencyOf, newRun } from "../../domain/new-run.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { WebhookEnvelope } from "../../domain/webhook-envelope.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { checkedVersion, requireNeeds } from "../runs/runnable-flow.ts";
import type { RunStart, StartRun } from "../runs/start-run.ts";

interface WebhookPost {
  readonly organizationId: string;
  readonly flowId: string;
  readonly envelope: WebhookEnvelope;
  readonly idempotencyKey: string | undefined;
}

export type AcceptWebhook = (post: WebhookPost) => Promise<RunStart>;

/** A post that was let in: idempotency, validation, then slot or queue. Answers once the run is durable. */
export const makeAcceptWebhook =
  ({ library, start, ids }: { library: FlowLibrary; start: StartRun; ids: IdMaker }): AcceptWebhook =>
  async ({ organizationId, flowId, envelope, idempotencyKey }) => {
    const idempotency =
      idempotencyKey === undefined ? undefined : idempotencyOf("webhook", flowId, idempotencyKey);
    const known = await start.findReplay(organizationId, idempotency);
    if (known) return known;

    const flow = await library.find(flowId);
    // Deleted since its token was checked.
    if (!flow) throw new Refusal("unauthorized");
    const version = await checkedVersion(library, flow);
    const filled = fillInputs(version.compiled, envelope.body);
    requireNeeds(version.compiled, filled, (key) => ["body", key]);
    const run = newRun(ids, flow, version, {
      triggerSource: "webhook",
      idempotency,
      inputs: byKey(filled),
      trigger: envelope,
    });
    return start.start(organizationId, run);
  };

/** Only what fills an empty input is kept: later the run's inputs override, and must not override more than this. */
function byKey(filled: InputOverrides): Record<string, unknown> | undefined {
  const entries = [...filled].flatMap(([nodeId, inputs]) =>
    [...inputs].map(([inputName, value]): [string, unknown] => [`${nodeId}_${inputName}`, value]),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
