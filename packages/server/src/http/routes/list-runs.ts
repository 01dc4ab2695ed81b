import { runsAnswer, runsQuery } from "@millrace/contract/runs";
import type { ListRuns } from "../../operations/runs/list-runs.ts";
import { presentPage } from "../presenters/list.ts";
import { presentRun } from "../presenters/run.ts";
import { defineRoute } from "../route.ts";

export const listRuns = (operation: ListRuns) =>
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
      return { status: 200, body: presentPage(await operation(principal, query), presentRun) };
    },
  });
