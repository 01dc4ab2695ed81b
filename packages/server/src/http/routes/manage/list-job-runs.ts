import { jobRunsAnswer, jobRunsQuery } from "@millrace/contract/manage/jobs";
import { getJobRuns } from "../../../operations/jobs/manage-job.ts";
import { presentJobRun } from "../../presenters/job.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listJobRunsRoute = (context: ContextOf<typeof getJobRuns>) =>
  defineRoute({
    method: "GET",
    path: "/manage/jobs/{jobId}/runs",
    name: "listJobRuns",
    summary: "List what became of the runs of a job: the fork of each, or why there is none",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: jobRunsQuery,
    answers: { 200: { description: "Runs by id", schema: jobRunsAnswer } },
    errors: ["job_not_found"],
    async handle({ principal, params, query }) {
      const { runs, next } = await getJobRuns(context, principal, params.jobId!, query);
      const pagination = { ...(next !== undefined && { next }) };
      return { status: 200, body: { success: true, data: { data: runs.map(presentJobRun), pagination } } };
    },
  });
