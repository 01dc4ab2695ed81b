import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { anyValue } from "./support/input-schemas.ts";
import { isTrue, TRUTH_RULE } from "./support/truth.ts";
import { conditionFaults } from "./support/document-faults.ts";

export const ifNode = defineNode({
  type: "if",
  summary: "Goes one of two ways.",
  inputs: z.object({ condition: anyValue().describe(`What decides: ${TRUTH_RULE}.`) }),
  effect: false,
  faultsOf: conditionFaults,
  handles: () => ["true", "false"],
  output: "`{result}`, true or false.",
  example: { inputs: { condition: "{{ data.amount > 100 }}" } },
  execute({ condition }) {
    const result = isTrue(condition);
    return { kind: "output", output: { result }, handle: String(result) };
  },
});
