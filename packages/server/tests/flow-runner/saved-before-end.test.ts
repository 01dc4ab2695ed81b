import { expect, test } from "vitest";
import type { NodeRecord } from "../../src/engine/flow-runner/run-types.ts";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

/** Ends in the round of a loop that goes on after failures, beside an effect that never ends. */
const graphWith = (end: ReturnType<typeof node>) =>
  graphOf(
    [
      node("start", "start"),
      node("beside", "post", { hangs: true }),
      node("loop", "for-each", { items: [1, 2], onItemError: "continue" }),
      inside("loop", node("made", "effect")),
      inside("loop", end),
      node("after", "set", { values: {} }),
    ],
    "start loop \n start beside \n made end \n loop after",
  );

const byKey = (records: readonly NodeRecord[]) =>
  new Map(records.map((record): [string, NodeRecord] => [record.nodeKey, record]));

test.each([
  ["return", { value: { found: true } }, { kind: "completed", output: { found: true } }],
  ["fail", { message: "no more" }, { kind: "failed", isDeliberate: true }],
])(
  "a worker that is lost after a large run was saved, but before its end by %s, loses nothing",
  async (type, inputs, expected) => {
    const graph = graphWith(node("end", type, inputs));
    const first = await run(graph);
    expect(first.outcome).toMatchObject(expected);
    expect(first.outcome.last).toMatchObject({ nodeKey: "end[0]" });
    const saved = first.outcome.records.filter((record) => record !== first.outcome.last);
    const again = await run(graph, { restored: byKey([...first.saved.flat(), ...saved]) });
    expect(again.outcome).toMatchObject(expected);
    expect(again.effects).toEqual([]);
    expect(again.began.filter((key) => key.endsWith("[1]") || key === "after")).toEqual([]);
  },
);
