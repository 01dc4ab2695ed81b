import { z } from "zod";
import { defineNode, inSlices } from "./node-type.ts";
import { anyValue, listOf } from "./support/input-schemas.ts";
import { isTrue, TRUTH_RULE } from "./support/truth.ts";
import { conditionFaults } from "./support/document-faults.ts";

export const filter = defineNode({
  type: "filter",
  summary: "Keeps the items of a list that meet a condition.",
  inputs: z.object({
    items: listOf().describe("The list; a single value is a list of one, nothing an empty one."),
    condition: anyValue().describe(
      `Evaluated for each item, with \`item\` and \`index\` in scope: ${TRUTH_RULE}.`,
    ),
  }),
  effect: false,
  faultsOf: conditionFaults,
  deferredInputs: ["condition"],
  output: "`{items}`, the kept ones in their order.",
  example: { inputs: { items: "{{ nodes.orders.body }}", condition: "{{ item.total > 100 }}" } },
  execute: inSlices(function* ({ items }, context) {
    const kept: unknown[] = [];
    for (const [index, item] of items.entries()) {
      // One evaluation at a time: a long list must not fill the sandbox's queue.
      let verdict = context.evaluate("condition", { item, index });
      if (verdict instanceof Promise) {
        verdict = yield verdict;
        context.signal.throwIfAborted();
      }
      if (isTrue(verdict)) kept.push(item);
      yield;
    }
    return { kind: "output", output: { items: kept } };
  }),
});
