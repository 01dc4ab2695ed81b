import { z } from "zod";
import { defineNode, type NodeOutcome } from "./node-type.ts";
import { codeFaults } from "./support/document-faults.ts";

export const transform = defineNode({
  type: "transform",
  summary: "Reshapes data with one JSONata expression.",
  inputs: z.object({
    expression: z
      .string()
      .min(1)
      .describe(
        "JSONata as it stands, without braces. Its context (`$`) is `input`, or everything in scope where there is none.",
      ),
    input: z.unknown().optional().describe("The value that the expression is about."),
  }),
  effect: false,
  deferredInputs: ["expression"],
  faultsOf: (inputs) =>
    codeFaults(
      inputs,
      "expression",
      'it is JSONata as it stands: read data.name or nodes.id directly, or pass a value by the input "input"',
    ),
  bareExpressions: ["expression"],
  output: "`{value}`, the result of the expression; `null` where it finds nothing.",
  example: { inputs: { input: "{{ nodes.orders.body }}", expression: "$sum(lines.(price * quantity))" } },
  execute({ input }, context) {
    const value = context.evaluate("expression", input == null ? {} : { input });
    return value instanceof Promise ? value.then(toOutcome) : toOutcome(value);
  },
});

function toOutcome(value: unknown): NodeOutcome {
  return { kind: "output", output: { value: value ?? null } };
}
