import { jobAnswer } from "@millrace/contract/manage/jobs";
import { switchJob } from "../../../operations/jobs/manage-job.ts";
import { presentJob } from "../../presenters/job.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

const switchRoute = (
  context: ContextOf<typeof switchJob>,
  to: "stop" | "resume",
  texts: { readonly summary: string; readonly description: string },
) =>
  defineRoute({
    method: "POST",
    path: `/manage/jobs/{jobId}/${to}`,
    name: `${to}Job`,
    summary: texts.summary,
    tag: "Manage",
    access: "key",
    role: "member",
    answers: { 200: { description: texts.description, schema: jobAnswer } },
    errors: ["job_not_found"],
    async handle({ principal, actor, params }) {
      const job = await switchJob(context, principal, actor, { jobId: params.jobId!, to });
      return { status: 200, body: { success: true, data: presentJob(job) } };
    },
  });

export const stopJobRoute = (context: ContextOf<typeof switchJob>) =>
  switchRoute(context, "stop", {
    summary: "Stop a job: what it has done stays done, and it can be resumed",
    description: "The job as it is now",
  });

export const resumeJobRoute = (context: ContextOf<typeof switchJob>) =>
  switchRoute(context, "resume", {
    summary: "Let a stopped job go on with the runs that are left",
    description: "The job as it is now",
  });
