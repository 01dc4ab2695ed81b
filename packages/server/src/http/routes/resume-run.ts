import { resumeBody, runResumedAnswer } from "@millrace/contract/trigger";
import type { Resumed, ResumeRun } from "../../operations/runs/resume-run.ts";
import { resumePage } from "../resume-page.ts";
import { type Answer, defineRoute } from "../route.ts";

const common = {
  tag: "Runs",
  answers: { 200: { description: "The answer counts; the run goes on", schema: runResumedAnswer } },
};

export const resumeRun = ({ withKey }: ResumeRun) =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/api/runs/{runId}/resume",
    name: "resumeRun",
    summary: "Answer the approval a paused run waits for",
    access: "key",
    body: resumeBody,
    errors: ["invalid_run_id", "invalid_request_body", "run_not_resumable", "access_denied", "run_not_found"],
    async handle({ principal, params, body }) {
      return present(await withKey(principal, params.runId!, body));
    },
  });

export const resumeByLink = ({ withLink }: ResumeRun) =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/app/resume/{runId}/{token}",
    name: "resumeByLink",
    summary: "Answer an approval through its single-use link, without a key",
    access: "token",
    body: resumeBody.omit({ nodeId: true }),
    bodyTypes: ["json", "form"],
    errors: ["unauthorized", "invalid_run_id", "invalid_request_body", "run_not_resumable"],
    async handle({ params, body, raw }) {
      const resumed = await withLink(params.runId!, params.token!, body);
      const asked = raw.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
      return asked ? resumePage({ decision: resumed.decision }) : present(resumed);
    },
  });

/** Opening the link only shows two buttons: mail scanners open links, and must not approve anything. */
export const showResumeLink = () =>
  defineRoute({
    method: "GET",
    path: "/app/resume/{runId}/{token}",
    name: "showResumeLink",
    summary: "A page with the two answers to an approval",
    tag: "Runs",
    access: "token",
    answers: { 200: { description: "HTML" } },
    errors: ["invalid_run_id"],
    handle: () => resumePage({}),
  });

function present({ runId, nodeId, decision, resumedAt }: Resumed): Answer {
  return {
    status: 200,
    body: { success: true, data: { id: runId, nodeId, decision, resumedAt: resumedAt.toISOString() } },
  };
}
