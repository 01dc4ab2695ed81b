import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { listOf } from "./support/input-schemas.ts";

export const forEach = defineNode({
  type: "for-each",
  summary: "Runs the nodes inside it once for each item of a list.",
  inputs: z.object({
    items: listOf().describe(
      "The list; a single value is a list of one, nothing an empty one. Inside, `item` and `index` are in scope.",
    ),
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe("How many items are under way at once."),
    onItemError: z
      .enum(["fail", "continue"])
      .default("fail")
      .describe("`fail` ends the loop at the first error, `continue` notes it in `errors` and goes on."),
  }),
  effect: false,
  container: true,
  handles: () => ["done"],
  output:
    "`{items, errors}`: the result of each round in the order of the list (`null` where it failed) and `{index, error}` of the failed ones.",
  example: { inputs: { items: "{{ nodes.orders.body }}", concurrency: 4, onItemError: "continue" } },
});
