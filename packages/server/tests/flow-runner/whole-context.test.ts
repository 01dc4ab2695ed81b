import { describe, expect, test } from "vitest";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const set = (id: string, value: unknown) => node(id, "set", { values: { value } });

describe("an expression that takes all nodes together", () => {
  test.each(["$", "$$", "nodes", "[nodes, 1]", '{ "all": nodes }', "$.nodes", "$merge([nodes, {}])"])(
    "{{ %s }} has what they have come to so far, and stays as it is",
    async (expression) => {
      const graph = graphOf(
        [node("start", "start"), set("early", 1), set("whole", `{{ ${expression} }}`), set("late", 2)],
        "start early\n early whole\n whole late",
      );
      const { outcome } = await run(graph, { data: { n: 1 } });
      expect(outcome.kind).toBe("completed");
      const text = JSON.stringify(outcome.records.find(({ nodeKey }) => nodeKey === "whole")!.output);
      expect(text).toContain('"early":{"value":1}');
      expect(text).not.toContain('"late"');
      expect(text).not.toContain('"whole"');
    },
  );

  test("works in a loop too", async () => {
    const graph = graphOf(
      [
        node("start", "start"),
        node("each", "for-each", { items: [1, 2] }),
        inside("each", set("whole", "{{ nodes }}")),
      ],
      "start each",
    );
    const { outcome } = await run(graph);
    expect(outcome).toMatchObject({ kind: "completed" });
    expect(
      JSON.parse(JSON.stringify(outcome.records.map(({ nodeKey, output }) => [nodeKey, output]))),
    ).toEqual([
      ["start", expect.anything()],
      ["whole[0]", { value: { start: expect.anything() } }],
      ["whole[1]", { value: { start: expect.anything() } }],
      ["each", expect.anything()],
    ]);
  });
});
