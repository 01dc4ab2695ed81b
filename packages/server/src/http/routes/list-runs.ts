import { runsAnswer, runsQuery } from "@millrace/contract/runs";
import { listRuns } from "../../operations/runs/list-runs.ts";
import { presentPage } from "../presenters/list.ts";
import { presentRun } from "../presenters/run.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listRunsRoute = (context: ContextOf<typeof listRuns>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs",
    name: "listRuns",
    summary: "List the runs of all flows, newest first",
    tag: "Runs",
    access: "key",
    query: runsQuery,
    answers: { 200: { description: "A page of runs", schema: runsAnswer } },
    errors: ["invalid_query", "organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listRuns(context, principal, query), presentRun) };
    },
  });
