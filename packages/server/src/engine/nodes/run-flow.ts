import { anyObject } from "@millrace/contract/any-object";
import { z } from "zod";
import { defineNode, NodeError } from "./node-type.ts";
import { withoutNulls } from "./support/answers.ts";

const triggerInput = z.object({
  body: z.unknown().optional().describe("`trigger.body` of the other flow."),
  headers: anyObject.optional().describe("`trigger.headers`."),
  query: anyObject.optional().describe("`trigger.query`."),
  method: z.string().optional().describe("`trigger.method`."),
});

export const runFlow = defineNode({
  type: "run-flow",
  summary: "Starts another flow of the same organization, and waits for its end unless told otherwise.",
  inputs: z.object({
    flowId: z.string().min(1).describe("The flow to start."),
    data: anyObject.nullish().describe("`data` of the other run."),
    trigger: triggerInput
      .nullish()
      .describe("`trigger` of the other run: `body`, `headers`, `query`, `method`."),
    wait: z
      .boolean()
      .nullish()
      .describe("Default true: this run is PAUSED until the other one ends. False: it goes on at once."),
    onParentEnd: z
      .enum(["cancel", "leave"])
      .nullish()
      .describe(
        "What becomes of the other run where this one ends while it waits: `cancel` (default) or `leave`. Without `wait` it is left.",
      ),
  }),
  effect: true,
  target: { input: "flowId", kind: "flow" },
  output: "`{runId, status, output}` of the other run; without `wait` its status at the start and no output.",
  example: { inputs: { flowId: "flow_invoice", data: { orderId: "{{ data.orderId }}" } } },
  async execute({ flowId, data, trigger, wait, onParentEnd }, context) {
    const answer = await context.waitFor({
      kind: "run-flow",
      flowId,
      data: data ?? {},
      ...(trigger ? { trigger } : {}),
      wait: wait ?? true,
      onParentEnd: onParentEnd ?? "cancel",
    });
    throwFailure(answer as SubflowEnd);
    return { kind: "output", output: withoutNulls(answer) };
  },
});

interface SubflowEnd {
  readonly runId?: string;
  readonly status?: string;
  readonly error?: { readonly name: string; readonly message: string } | null;
}

/** A run that did not complete, or could not be started. */
function throwFailure({ runId, status, error }: SubflowEnd): void {
  if (error) {
    const message = runId ? `The run ${runId} ended ${status}: ${error.message}` : error.message;
    // A run that was made and ended badly may end well the next time; one that could not be made cannot.
    throw new NodeError(error.name, message, { mayPass: runId !== undefined });
  }
  if (status === "CANCELED")
    throw new NodeError("SubflowCanceled", `The run ${runId} was cancelled.`, { mayPass: true });
}
