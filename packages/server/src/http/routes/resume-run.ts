import type { ErrorCode } from "@millrace/contract/errors";
import { resumeBody, runResumedAnswer } from "@millrace/contract/trigger";
import {
  openResumeLink,
  type Resumed,
  resumeRun,
  resumeRunByLink,
} from "../../operations/runs/resume-run.ts";
import { isId } from "../../domain/ids.ts";
import { resumePage } from "../resume-page.ts";
import { type Answer, type ContextOf, defineRoute, type Route } from "../route.ts";

const common = {
  tag: "Runs",
  answers: { 200: { description: "The answer counts; the run goes on", schema: runResumedAnswer } },
};

export const resumeRunRoute = (context: ContextOf<typeof resumeRun>) =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/api/runs/{runId}/resume",
    name: "resumeRun",
    summary: "Answer the approval a paused run waits for",
    access: "key",
    body: resumeBody,
    errors: [
      "invalid_run_id",
      "invalid_request_body",
      "run_not_resumable",
      "approval_not_named",
      "access_denied",
      "run_not_found",
    ],
    async handle({ principal, actor, params, body }) {
      return present(await resumeRun(context, principal, actor, params.runId!, body));
    },
  });

const linkErrors = [
  "link_not_found",
  "organization_suspended",
  "too_many_requests",
] as const satisfies ErrorCode[];

/**
 * The link's proof costs one hash, so it is looked at before anything that its sender wrote is read. Whatever is wrong
 * with a link, the answer is the same.
 */
function letInByLink(context: ContextOf<typeof openResumeLink>): NonNullable<Route["before"]> {
  return async (request, reply, limits) => {
    const params = request.params as { runId: string; token: string };
    const isPossible = isId("run", params.runId);
    if (!isPossible || !(await openResumeLink(context, params.runId, params.token)))
      throw limits.refuseGuess(request, reply, "link_not_found");
    limits.showGuesses(request, reply);
  };
}

export const resumeByLinkRoute = (context: ContextOf<typeof resumeRunByLink>) =>
  defineRoute({
    ...common,
    before: letInByLink(context),
    method: "POST",
    path: "/app/resume/{runId}/{token}",
    name: "resumeByLink",
    summary: "Answer an approval through its single-use link, without a key",
    access: "token",
    body: resumeBody.omit({ nodeId: true }),
    bodyTypes: ["json", "form"],
    errors: [...linkErrors, "invalid_request_body", "run_not_resumable"],
    async handle({ actor, params, body, raw }) {
      const resumed = await resumeRunByLink(context, actor, params.runId!, params.token!, body);
      const asked = raw.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
      return asked ? resumePage({ decision: resumed.decision }) : present(resumed);
    },
  });

/** Opening the link only shows two buttons: mail scanners open links, and must not approve anything. */
export const showResumeLinkRoute = (context: ContextOf<typeof openResumeLink>) =>
  defineRoute({
    before: letInByLink(context),
    method: "GET",
    path: "/app/resume/{runId}/{token}",
    name: "showResumeLink",
    summary: "A page with the two answers to an approval",
    tag: "Runs",
    access: "token",
    answers: { 200: { description: "The page", type: "text/html" } },
    errors: linkErrors,
    handle: () => resumePage({}),
  });

function present({ runId, resumedAt, ...answer }: Resumed): Answer {
  return {
    status: 200,
    body: { success: true, data: { id: runId, ...answer, resumedAt: resumedAt.toISOString() } },
  };
}
