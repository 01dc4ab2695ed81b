import { z } from "zod";
import { bounded } from "./bounded.ts";
import { safeText, timestamp } from "./envelope.ts";
import { runCreatedAnswer, runQueuedAnswer, runTags, triggerBody, triggerPayload } from "./trigger.ts";

const MAX_OUTPUTS = 100;
const MAX_KEY_LENGTH = 1_000;

const nodeKey = safeText.min(1, "must not be empty").max(MAX_KEY_LENGTH);

/** A run that goes on from what another one has done. */
export const forkBody = z.strictObject(
  {
    from: nodeKey
      .optional()
      .describe(
        'node key to execute again, with all behind it: charge, fetch[3], inner[2].fetch[3]; "failed": whatever has not ended well; "start": everything. Default: failed, or start where the run completed',
      ),
    version: safeText
      .min(1, "must not be empty")
      .max(64)
      .default("same")
      .describe('version of the flow: "same", "active", or one such as 20260101.1'),
    data: triggerPayload.shape.data.describe("instead of the data of the run"),
    inputs: triggerPayload.shape.inputs.describe("instead of the input overrides of the run"),
    trigger: triggerPayload.shape.trigger.describe("instead of the trigger of the run"),
    outputs: bounded(MAX_OUTPUTS, z.record(nodeKey, z.unknown()), "outputs")
      .optional()
      .describe("outputs by node key: these nodes count as completed with them and are not executed"),
    idempotencyKey: triggerBody.shape.idempotencyKey.describe(
      "a second fork of this run with the same key returns the fork of the first",
    ),
    tags: runTags.optional().describe("instead of the tags of the run"),
  },
  "must be an object",
);
export type ForkBody = z.infer<typeof forkBody>;
export type ForkRequest = z.input<typeof forkBody>;

export const forkedFrom = z.strictObject({
  runId: z.string(),
  nodeKey: z.string().describe("where the fork begins"),
});

export const runFork = z.strictObject({ runId: z.string(), nodeKey: z.string(), createdAt: timestamp });

const forkFields = {
  forkedFrom,
  warnings: z.array(z.string()).describe("what could not be taken over, such as values of removed nodes"),
};

export const forkCreatedAnswer = runCreatedAnswer.extend({
  data: runCreatedAnswer.shape.data.extend(forkFields),
});
export const forkQueuedAnswer = runQueuedAnswer.extend({
  data: runQueuedAnswer.shape.data.extend(forkFields),
});
