import { jobsAnswer, jobsQuery } from "@millrace/contract/manage/jobs";
import { listJobs } from "../../../operations/jobs/manage-job.ts";
import { presentJob } from "../../presenters/job.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listJobsRoute = (context: ContextOf<typeof listJobs>) =>
  defineRoute({
    method: "GET",
    path: "/manage/jobs",
    name: "listJobs",
    summary: "List jobs over many runs, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: jobsQuery,
    answers: { 200: { description: "A page of jobs", schema: jobsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listJobs(context, principal, query), presentJob) };
    },
  });
