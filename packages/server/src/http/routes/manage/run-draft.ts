import { draftRunCreatedAnswer, draftRunQueuedAnswer, runDraftBody } from "@millrace/contract/manage/flows";
import { runDraft } from "../../../operations/manage-flows/run-draft.ts";
import { presentRunStart } from "../../presenters/run-start.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const runDraftRoute = (context: ContextOf<typeof runDraft>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/draft/run",
    name: "runDraft",
    summary:
      "Execute the draft of a flow as a test run, effects included: whole, from a node on, or a node alone",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: runDraftBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: {
      201: { description: "The run was created", schema: draftRunCreatedAnswer },
      202: {
        description: "The concurrency limit is reached; the run waits in the queue",
        schema: draftRunQueuedAnswer,
      },
    },
    errors: [
      "invalid_flow_id",
      "flow_validation_failed",
      "run_not_forkable",
      "insufficient_credits",
      "access_denied",
      "flow_not_found",
      "run_not_found",
      "queue_limit_reached",
    ],
    async handle({ principal, actor, params, body }) {
      const { start, warnings } = await runDraft(context, { principal, actor }, params.flowId!, body);
      return presentRunStart(start, { warnings });
    },
  });
