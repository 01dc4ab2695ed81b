import { runNodesAnswer } from "@millrace/contract/runs";
import { listRunNodes } from "../../operations/runs/list-run-nodes.ts";
import { presentRunNode } from "../presenters/run.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listRunNodesRoute = (context: ContextOf<typeof listRunNodes>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}/nodes",
    name: "listRunNodes",
    summary: "List what the nodes of a run did, by time",
    tag: "Runs",
    access: "key",
    answers: { 200: { description: "The nodes that have ended so far", schema: runNodesAnswer } },
    errors: ["invalid_run_id", "run_not_found"],
    async handle({ principal, params }) {
      const { nodes, total } = await listRunNodes(context, principal, params.runId!);
      return { status: 200, body: { success: true, data: nodes.map(presentRunNode), total } };
    },
  });
