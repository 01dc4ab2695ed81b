import { runNodesAnswer } from "@millrace/contract/runs";
import type { ListRunNodes } from "../../operations/runs/list-run-nodes.ts";
import { presentRunNode } from "../presenters/run.ts";
import { defineRoute } from "../route.ts";

export const listRunNodes = (operation: ListRunNodes) =>
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
      const { nodes, total } = await operation(principal, params.runId!);
      return { status: 200, body: { success: true, data: nodes.map(presentRunNode), total } };
    },
  });
