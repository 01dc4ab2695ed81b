import { runCreatedAnswer, runQueuedAnswer, triggerBody } from "@millrace/contract/trigger";
import { triggerRun } from "../../operations/runs/trigger-run.ts";
import { triggerKey } from "../idempotency-key.ts";
import { presentRunStart } from "../presenters/run-start.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const triggerRunRoute = (context: ContextOf<typeof triggerRun>) =>
  defineRoute({
    method: "POST",
    path: "/api/runs",
    name: "triggerRun",
    summary: "Start a run of an existing flow",
    tag: "Runs",
    access: "key",
    headers: {
      "Idempotency-Key": "the same as idempotencyKey of the body; where both are sent they must be equal",
    },
    body: triggerBody,
    bodyLimitBytes: 3 * 1_048_576,
    answers: {
      201: { description: "The run was created", schema: runCreatedAnswer },
      202: {
        description: "The concurrency limit is reached; the run waits in the queue",
        schema: runQueuedAnswer,
      },
    },
    errors: [
      "invalid_request_body",
      "flow_validation_failed",
      "insufficient_credits",
      "access_denied",
      "flow_not_found",
      "payload_too_large",
      "queue_limit_reached",
    ],
    async handle({ principal, body, raw }) {
      const idempotencyKey = triggerKey(raw, body.idempotencyKey);
      return presentRunStart(await triggerRun(context, principal, { ...body, idempotencyKey }));
    },
  });
