import { describe, expect, test } from "vitest";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");

describe("while", () => {
  test("goes round while its condition holds, and sees the round before", async () => {
    const graph = graphOf(
      [
        start,
        node("loop", "while", { condition: "{{ index = 0 or nodes.x.n < 3 }}" }),
        inside(
          "loop",
          node("x", "set", { values: { n: "{{ (nodes.x.n ?? 0) + 1 }}", last: "{{ item.n }}" } }),
        ),
      ],
      "start loop",
    );
    const { outcome, began } = await run(graph);
    expect(outcome).toMatchObject({ output: { loop: { iterations: 3, last: { n: 3, last: 2 } } } });
    expect(began).toEqual(["start", "loop", "x[0]", "x[1]", "x[2]"]);
  });

  test("ends after its last round whatever the condition says", async () => {
    const graph = graphOf(
      [
        start,
        node("loop", "while", { condition: true, maxIterations: 5 }),
        inside("loop", node("x", "set", { values: {} })),
      ],
      "start loop",
    );
    expect((await run(graph)).outcome).toMatchObject({ output: { loop: { iterations: 5 } } });
  });

  test("never begins where the condition does not hold", async () => {
    const graph = graphOf(
      [start, node("loop", "while", { condition: "{{ data.go }}" }), inside("loop", node("x", "hang"))],
      "start loop",
    );
    expect((await run(graph)).outcome).toMatchObject({ output: { loop: { iterations: 0, last: null } } });
  });

  test("fails with the node that fails inside it", async () => {
    const graph = graphOf(
      [start, node("loop", "while", { condition: true }), inside("loop", node("x", "flaky", { times: 1 }))],
      "start loop",
    );
    expect((await run(graph)).outcome).toMatchObject({
      kind: "failed",
      error: { nodeId: "x", name: "Broken" },
    });
  });
});
