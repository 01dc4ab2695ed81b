import { createHash } from "node:crypto";
import { triggerBody } from "@millrace/contract/trigger";
import { creditsToReserve } from "../../domain/credits.ts";
import { fillInputs, type InputOverrides } from "../../domain/flow/overrides.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { WebhookEnvelope } from "../../domain/webhook-envelope.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import type { RunStart, StartRun } from "../runs/start-run.ts";

interface WebhookPost {
  readonly organizationId: string;
  readonly flowId: string;
  readonly envelope: WebhookEnvelope;
  readonly idempotencyKey: string | undefined;
}

export type AcceptWebhook = (post: WebhookPost) => Promise<RunStart>;

const { maxAttempts, maxDuration, tags, isTest } = triggerBody.parse({ payload: { flowId: "any" } });

/** A post that was let in: idempotency, validation, then slot or queue. Answers once the run is durable. */
export const makeAcceptWebhook =
  ({ library, start, ids }: { library: FlowLibrary; start: StartRun; ids: IdMaker }): AcceptWebhook =>
  async ({ organizationId, flowId, envelope, idempotencyKey }) => {
    const idempotency =
      idempotencyKey === undefined
        ? undefined
        : { scope: `webhook:${flowId}`, keyHash: createHash("sha256").update(idempotencyKey).digest() };
    const known = await start.findReplay(organizationId, idempotency);
    if (known) return known;

    const flow = await library.find(flowId);
    // Deleted since its token was checked.
    if (!flow) throw new Refusal("unauthorized");
    const { validation, compiled, nodeCount } = await library.checked(flow);
    if (!compiled) {
      throw new Refusal("flow_validation_failed", {
        validationErrors: validation.errors,
        validationWarnings: validation.warnings,
      });
    }
    return start.start(organizationId, {
      id: ids.make("run"),
      flowId,
      version: flow.version,
      delayMs: 0,
      maxAttempts,
      maxDurationMs: maxDuration * 1000,
      triggerSource: "webhook",
      tags,
      isTest,
      credits: creditsToReserve(nodeCount),
      depth: 0,
      idempotency,
      inputs: byKey(fillInputs(compiled, envelope.body)),
      trigger: envelope,
    });
  };

/** Only what fills an empty input is kept: later the run's inputs override, and must not override more than this. */
function byKey(filled: InputOverrides): Record<string, unknown> | undefined {
  const entries = [...filled].flatMap(([nodeId, inputs]) =>
    [...inputs].map(([inputName, value]): [string, unknown] => [`${nodeId}_${inputName}`, value]),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
