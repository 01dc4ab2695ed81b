import { jobAnswer } from "@millrace/contract/manage/jobs";
import { getJob } from "../../../operations/jobs/manage-job.ts";
import { presentJob } from "../../presenters/job.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getJobRoute = (context: ContextOf<typeof getJob>) =>
  defineRoute({
    method: "GET",
    path: "/manage/jobs/{jobId}",
    name: "getJob",
    summary: "Get a job with its progress",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "The job", schema: jobAnswer } },
    errors: ["job_not_found"],
    async handle({ principal, params }) {
      const job = await getJob(context, principal, params.jobId!);
      return { status: 200, body: { success: true, data: presentJob(job) } };
    },
  });
