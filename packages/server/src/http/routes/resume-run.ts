import type { ErrorCode } from "@millrace/contract/errors";
import { resumeBody, runResumedAnswer } from "@millrace/contract/trigger";
import {
  openResumeLink,
  type Resumed,
  resumeRun,
  resumeRunByLink,
} from "../../operations/runs/resume-run.ts";
import { isId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { showApproval } from "../../operations/runs/show-approval.ts";
import { localeOfBrowser } from "../pages/language.ts";
import { resumePage, thanksPage } from "../pages/resume-page.ts";
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
      "not_assigned",
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
    // Whatever is wrong with a link, it is none of ours: it says no more than that.
    const isPossible = isId("run", params.runId);
    if (!isPossible || !(await openResumeLink(context, params.runId, params.token)))
      throw limits.refuseGuess(request, reply, "link_not_found");
    limits.showGuesses(request, reply);
  };
}

export const resumeByLinkRoute = (
  context: ContextOf<typeof resumeRunByLink> & ContextOf<typeof showApproval>,
) =>
  defineRoute({
    ...common,
    before: letInByLink(context),
    method: "POST",
    path: "/app/resume/{runId}/{token}",
    name: "resumeByLink",
    summary: "Answer an approval through its single-use link, without a key",
    access: "token",
    isPage: true,
    body: resumeBody.omit({ nodeId: true }),
    bodyTypes: ["json", "form"],
    errors: [...linkErrors, "invalid_request_body", "run_not_resumable"],
    async handle({ actor, params, body, raw }) {
      const [runId, token] = [params.runId!, params.token!];
      const isPage = raw.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
      if (!isPage) return present(await resumeRunByLink(context, actor, runId, token, body));
      const fields = raw.body as Record<string, unknown>;
      const lang = localeOfBrowser(raw.headers["accept-language"]);
      try {
        const { decision } = await resumeRunByLink(context, actor, runId, token, { ...body, fields });
        return thanksPage(decision, lang);
      } catch (error) {
        const issues = error instanceof Refusal ? error.details.issues : undefined;
        if (!issues) throw error;
        const shown = await showApproval(context, runId, token);
        return resumePage(shown, lang, { faults: issues, values: fields });
      }
    },
  });

/** Opening the link only shows two buttons: mail scanners open links, and must not approve anything. */
export const showResumeLinkRoute = (
  context: ContextOf<typeof openResumeLink> & ContextOf<typeof showApproval>,
) =>
  defineRoute({
    before: letInByLink(context),
    method: "GET",
    path: "/app/resume/{runId}/{token}",
    name: "showResumeLink",
    summary: "A page that shows what is to be decided, by whom it is asked, and the two answers",
    tag: "Runs",
    access: "token",
    isPage: true,
    answers: { 200: { description: "The page", type: "text/html" } },
    errors: [...linkErrors, "bad_request"],
    handle: async ({ params, raw }) =>
      resumePage(
        await showApproval(context, params.runId!, params.token!),
        localeOfBrowser(raw.headers["accept-language"]),
      ),
  });

function present({ runId, resumedAt, ...answer }: Resumed): Answer {
  return {
    status: 200,
    body: { success: true, data: { id: runId, ...answer, resumedAt: resumedAt.toISOString() } },
  };
}
