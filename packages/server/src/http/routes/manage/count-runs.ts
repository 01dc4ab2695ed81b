import { runCountsAnswer, runCountsQuery } from "@millrace/contract/manage/statistics";
import { countRuns } from "../../../operations/statistics/count-runs.ts";
import { presentRunCounts } from "../../presenters/statistics.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const countRunsRoute = (context: ContextOf<typeof countRuns>) =>
  defineRoute({
    method: "GET",
    path: "/manage/runs/counts",
    name: "countRuns",
    summary: "Count runs by status and minute of creation, over the last hour or another time up to a day",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: runCountsQuery,
    answers: { 200: { description: "Counts, at most five seconds old", schema: runCountsAnswer } },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query }) {
      const counts = await countRuns(context, principal, query);
      return { status: 200, body: { success: true, data: presentRunCounts(counts) } };
    },
  });
