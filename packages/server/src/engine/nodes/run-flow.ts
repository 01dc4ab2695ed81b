import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { anyObject } from "./support/input-schemas.ts";

const triggerInput = z.object({
  body: z.unknown().optional().describe("`trigger.body` of the other flow."),
  headers: anyObject().optional().describe("`trigger.headers`."),
  query: anyObject().optional().describe("`trigger.query`."),
  method: z.string().optional().describe("`trigger.method`."),
});

export const runFlow = defineNode({
  type: "run-flow",
  summary: "Starts another flow of the same organization, and waits for its end unless told otherwise.",
  inputs: z.object({
    flowId: z.string().min(1).describe("The flow to start."),
    data: anyObject().nullish().describe("`data` of the other run."),
    trigger: triggerInput
      .nullish()
      .describe("`trigger` of the other run: `body`, `headers`, `query`, `method`."),
    wait: z
      .boolean()
      .nullish()
      .describe("Default true: this run is PAUSED until the other one ends. False: it goes on at once."),
  }),
  effect: true,
  target: { input: "flowId", kind: "flow" },
  output: "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.",
  example: { inputs: { flowId: "flow_invoice", data: { orderId: "{{ data.orderId }}" } } },
  execute({ flowId, data, trigger, wait }) {
    return {
      kind: "suspend",
      suspension: {
        kind: "run-flow",
        flowId,
        data: data ?? {},
        ...(trigger ? { trigger } : {}),
        wait: wait ?? true,
      },
    };
  },
});
