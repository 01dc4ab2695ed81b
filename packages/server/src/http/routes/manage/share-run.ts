import { shareAnswer, shareBody } from "@millrace/contract/manage/shares";
import { shareRun } from "../../../operations/shares/share-run.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const shareRunRoute = (context: ContextOf<typeof shareRun>) =>
  defineRoute({
    method: "POST",
    path: "/manage/runs/{runId}/share",
    name: "shareRun",
    summary:
      "Make a link that shows a run: structure, times and statuses, and the values of the nodes you choose",
    tag: "Manage",
    access: "key",
    role: "member",
    body: shareBody,
    answers: { 201: { description: "The link; it is shown only here", schema: shareAnswer } },
    errors: ["invalid_run_id", "invalid_request_body", "run_not_found"],
    async handle({ principal, actor, params, body }) {
      const data = await shareRun(context, principal, actor, params.runId!, body);
      return { status: 201, body: { success: true, data } };
    },
  });
