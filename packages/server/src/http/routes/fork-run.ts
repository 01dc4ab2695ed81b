import { forkBody, forkCreatedAnswer, forkQueuedAnswer } from "@millrace/contract/fork";
import { forkRun } from "../../operations/forks/fork-run.ts";
import { triggerKey } from "../idempotency-key.ts";
import { presentRunStart } from "../presenters/run-start.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const forkRunRoute = (context: ContextOf<typeof forkRun>) =>
  defineRoute({
    method: "POST",
    path: "/api/runs/{runId}/fork",
    name: "forkRun",
    summary:
      "Start a run that goes on from what an ended run has done: retry it, or execute it again from a node",
    tag: "Runs",
    access: "key",
    headers: {
      "Idempotency-Key": "the same as idempotencyKey of the body; where both are sent they must be equal",
    },
    body: forkBody.prefault({}),
    bodyLimitBytes: 3 * 1_048_576,
    answers: {
      201: { description: "The fork was created", schema: forkCreatedAnswer },
      202: {
        description: "The concurrency limit is reached; the fork waits in the queue",
        schema: forkQueuedAnswer,
      },
    },
    errors: [
      "invalid_run_id",
      "invalid_request_body",
      "run_not_forkable",
      "flow_validation_failed",
      "insufficient_credits",
      "access_denied",
      "run_not_found",
      "flow_not_found",
      "payload_too_large",
      "queue_limit_reached",
    ],
    async handle({ principal, params, body, raw }) {
      const idempotencyKey = triggerKey(raw, body.idempotencyKey);
      const fork = await forkRun(context, principal, params.runId!, { ...body, idempotencyKey });
      const { start, forkedFrom, warnings } = fork;
      return presentRunStart(start, { forkedFrom, warnings });
    },
  });
