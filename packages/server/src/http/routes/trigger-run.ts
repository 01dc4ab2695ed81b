import { runAnswer } from "@millrace/contract/runs";
import { runCreatedAnswer, runQueuedAnswer, triggerBody, triggerQuery } from "@millrace/contract/trigger";
import { withTraceparent } from "../../domain/trace-context.ts";
import type { EndWaits } from "../../operations/runs/end-waits.ts";
import { getRun } from "../../operations/runs/get-run.ts";
import { triggerRun } from "../../operations/runs/trigger-run.ts";
import { headerText } from "../errors.ts";
import { triggerKey } from "../idempotency-key.ts";
import { presentRunStart } from "../presenters/run-start.ts";
import { presentRunDetail } from "../presenters/run.ts";
import { rawAnswer } from "../raw-json.ts";
import { goneSignal } from "../gone-signal.ts";
import { type Answer, type ContextOf, defineRoute } from "../route.ts";

export const triggerRunRoute = (
  context: ContextOf<typeof triggerRun> & ContextOf<typeof getRun>,
  waits: EndWaits,
  { takesTraces = false }: { readonly takesTraces?: boolean } = {},
) =>
  defineRoute({
    method: "POST",
    path: "/api/runs",
    name: "triggerRun",
    summary: "Start a run of an existing flow",
    description:
      "The flow is validated first; warnings do not block it. Where the organization's concurrency limit is reached the run is " +
      "queued (202). With an idempotency key a repetition returns the run of the first call, so a lost answer can be asked for again.",
    tag: "Runs",
    access: "key",
    headers: {
      "Idempotency-Key": "the same as idempotencyKey of the body; where both are sent they must be equal",
      traceparent: "the trace that the run becomes part of, where the service tells traces",
    },
    query: triggerQuery,
    body: triggerBody,
    bodyLimitBytes: 3 * 1_048_576,
    answers: {
      200: { description: "With wait: the run, which has ended, however it ended", schema: runAnswer },
      201: { description: "The run was created", schema: runCreatedAnswer },
      202: {
        description: "The concurrency limit is reached; the run waits in the queue",
        schema: runQueuedAnswer,
      },
    },
    errors: [
      "invalid_request_body",
      "invalid_query",
      "flow_validation_failed",
      "insufficient_credits",
      "access_denied",
      "flow_not_found",
      "payload_too_large",
      "queue_limit_reached",
    ],
    async handle({ principal, query, body, raw, reply }) {
      const idempotencyKey = triggerKey(raw, body.idempotencyKey);
      const traceparent = takesTraces ? headerText(raw, "traceparent") : undefined;
      const payload =
        traceparent === undefined
          ? body.payload
          : { ...body.payload, trigger: withTraceparent(body.payload.trigger, traceparent) };
      const start = await triggerRun(context, principal, { ...body, payload, idempotencyKey });
      const started = presentRunStart(start);
      if (query.wait === undefined) return started;
      const wait = { ...start, waitMs: query.wait, gone: goneSignal(reply) };
      const ended = async (): Promise<Answer> => {
        if (!(await waits.untilEnded(wait))) return started;
        const run = await getRun(context, principal, start.runId);
        const answer = rawAnswer({ success: true, data: presentRunDetail(run) });
        return { ...answer, headers: { ...started.headers, ...answer.headers } };
      };
      return { ...started, later: ended() };
    },
  });
