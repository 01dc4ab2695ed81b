import { nodeRecordsAnswer, nodeRecordsQuery } from "@millrace/contract/manage/run-values";
import { listNodeRecords } from "../../../operations/run-values/list-node-records.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentNodeRecord } from "../../presenters/run-values.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listNodeRecordsRoute = (context: ContextOf<typeof listNodeRecords>) =>
  defineRoute({
    method: "GET",
    path: "/manage/runs/{runId}/nodes",
    name: "listNodeRecords",
    summary: "List what the nodes of a run did and do, without values; inside containers round by round",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: nodeRecordsQuery,
    answers: {
      200: { description: "The nodes outside of containers, or a page of rounds", schema: nodeRecordsAnswer },
    },
    errors: ["invalid_run_id", "invalid_query", "run_not_found"],
    async handle({ principal, params, query }) {
      const page = await listNodeRecords(context, principal, params.runId!, query);
      return { status: 200, body: presentPage(page, presentNodeRecord, { rounds: page.rounds }) };
    },
  });
