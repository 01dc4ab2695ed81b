import { z } from "zod";
import { defineNode, type NodeContext, type NodeOutcome } from "./node-type.ts";
import { anyValue } from "./support/input-schemas.ts";
import { isTrue, TRUTH_RULE } from "./support/truth.ts";

export const filter = defineNode({
  type: "filter",
  summary: "Keeps the items of a list that meet a condition.",
  inputs: z.object({
    items: z.array(z.unknown()).describe("The list."),
    condition: anyValue().describe(
      `Evaluated for each item, with \`item\` and \`index\` in scope: ${TRUTH_RULE}.`,
    ),
  }),
  effect: false,
  deferredInputs: ["condition"],
  output: "`{items}`, the kept ones in their order.",
  example: { inputs: { items: "{{ nodes.orders.body }}", condition: "{{ item.total > 100 }}" } },
  execute({ items }, context) {
    const kept: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const verdict = context.evaluate("condition", { item, index });
      if (verdict instanceof Promise) return filterInTurn(items, index, kept, verdict, context);
      if (isTrue(verdict)) kept.push(item);
    }
    return { kind: "output", output: { items: kept } };
  },
});

/** One evaluation at a time: a long list must not fill the sandbox's queue. */
async function filterInTurn(
  items: readonly unknown[],
  from: number,
  kept: unknown[],
  firstVerdict: Promise<unknown>,
  context: NodeContext,
): Promise<NodeOutcome> {
  const { signal } = context;
  if (isTrue(await firstVerdict)) kept.push(items[from]);
  for (let index = from + 1; index < items.length; index += 1) {
    signal.throwIfAborted();
    const item = items[index];
    if (isTrue(await context.evaluate("condition", { item, index }))) kept.push(item);
  }
  return { kind: "output", output: { items: kept } };
}
