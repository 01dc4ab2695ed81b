import { nodeValuesAnswer } from "@millrace/contract/manage/run-values";
import { getNodeValues } from "../../../operations/run-values/get-node-values.ts";
import { presentNodeValues } from "../../presenters/run-values.ts";
import { rawAnswer } from "../../raw-json.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getNodeValuesRoute = (context: ContextOf<typeof getNodeValues>) =>
  defineRoute({
    method: "GET",
    path: "/manage/runs/{runId}/nodes/{nodeKey}",
    name: "getNodeValues",
    summary: "Get one node of a run with its values",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "The node with input, output, error and log", schema: nodeValuesAnswer } },
    errors: ["invalid_run_id", "run_not_found", "node_not_found"],
    async handle({ principal, params }) {
      const node = await getNodeValues(context, principal, params.runId!, params.nodeKey!);
      return rawAnswer({ success: true, data: presentNodeValues(node) });
    },
  });
