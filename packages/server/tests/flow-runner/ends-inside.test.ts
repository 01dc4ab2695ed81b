import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const containers = {
  "for-each": { items: [1, 2, 3] },
  while: { condition: "{{ index < 3 }}" },
};
const ends = {
  return: [{ value: { found: true } }, { kind: "completed", output: { found: true } }],
  fail: [{ message: "no more" }, { kind: "failed", error: { message: "no more" } }],
} as const;

describe.each(Object.entries(containers))("a %s whose first round ends the run at once", (type, inputs) => {
  test.each(Object.entries(ends))("by %s begins nothing more", async (end, [endInputs, expected]) => {
    const graph = graphOf(
      [
        node("start", "start"),
        node("outer", type, inputs),
        inside("outer", node("inner", type, inputs)),
        inside("inner", node("first", "if", { condition: "{{ index = 0 }}" })),
        inside("inner", node("end", end, endInputs)),
        inside("inner", node("send", "effect")),
        node("beside", "post", { hangs: true }),
        node("after", "set", { values: {} }),
      ],
      "start outer \n start beside \n first:true end \n first:false send \n outer after",
    );
    const { outcome, began, effects } = await run(graph);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(outcome).toMatchObject(expected);
    expect(began.toSorted()).toEqual([
      "beside",
      "inner[0]",
      "inner[0].end[0]",
      "inner[0].first[0]",
      "outer",
      "start",
    ]);
    expect(effects).toEqual([]);
    const statuses = Object.fromEntries(outcome.records.map(({ nodeKey, status }) => [nodeKey, status]));
    expect(statuses).toMatchObject({ outer: "ABORTED", "inner[0]": "ABORTED" });
  });
});
