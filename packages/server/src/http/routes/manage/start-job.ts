import { jobAnswer, startJobBody } from "@millrace/contract/manage/jobs";
import { startJob } from "../../../operations/jobs/start-job.ts";
import { presentJob } from "../../presenters/job.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const startJobRoute = (context: ContextOf<typeof startJob>) =>
  defineRoute({
    method: "POST",
    path: "/manage/jobs",
    name: "startJob",
    summary:
      "Cancel, retry or fork all runs that match a filter now; the job goes on whatever happens to a process",
    tag: "Manage",
    access: "key",
    role: "member",
    body: startJobBody,
    answers: { 202: { description: "The job has begun", schema: jobAnswer } },
    errors: ["invalid_request_body", "organization_access_denied"],
    async handle({ principal, actor, body }) {
      const job = await startJob(context, principal, actor, body);
      return { status: 202, body: { success: true, data: presentJob(job) } };
    },
  });
