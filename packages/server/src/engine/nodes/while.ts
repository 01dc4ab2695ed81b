import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { anyValue } from "./support/input-schemas.ts";
import { TRUTH_RULE } from "./support/truth.ts";
import { conditionFaults } from "./support/document-faults.ts";

export const whileNode = defineNode({
  type: "while",
  summary: "Runs the nodes inside it again and again while a condition holds.",
  inputs: z.object({
    condition: anyValue().describe(
      `Evaluated before each round, with \`index\` and the result of the round before as \`item\` in scope: ${TRUTH_RULE}.`,
    ),
    maxIterations: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe("The loop ends after so many rounds, whatever the condition says."),
  }),
  effect: false,
  faultsOf: conditionFaults,
  container: true,
  deferredInputs: ["condition"],
  handles: () => ["done"],
  output: "`{iterations, last}`: how many rounds there were and the result of the last one.",
  example: { inputs: { condition: "{{ index < 3 }}", maxIterations: 10 } },
});
