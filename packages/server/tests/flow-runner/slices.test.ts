import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");

/** Runs a flow, and counts how often the event loop came round meanwhile. */
async function countLoops(graph: ReturnType<typeof graphOf>, options: Parameters<typeof run>[1] = {}) {
  let loops = 0;
  const over = new AbortController();
  const counting = (async () => {
    while (!over.signal.aborted) {
      await nextLoop();
      loops += 1;
    }
  })();
  const { outcome } = await run(graph, { nodeTypes, ...options });
  over.abort();
  await counting;
  return { loops, outcome };
}

const numbers = Array.from({ length: 60_000 }, (_, at) => (at * 7_919) % 60_000);
const rows = numbers.map((id) => ({ id, name: `row ${id}` }));

describe("long work of pure nodes lets the rest of the process have its turn", () => {
  test.each([
    [
      "an empty while",
      [
        node("x", "while", { condition: true, maxIterations: 5 }),
        inside("x", node("y", "while", { condition: true, maxIterations: 10_000 })),
      ],
    ],
    [
      "an empty for-each",
      [node("x", "for-each", { items: "{{ data.numbers }}", onItemError: "continue", concurrency: 100 })],
    ],
    [
      "a while with a node",
      [
        node("x", "while", { condition: true, maxIterations: 5_000 }),
        inside("x", node("y", "set", { values: { a: "{{ index }}" } })),
      ],
    ],
    ["filter", [node("x", "filter", { items: "{{ data.numbers }}", condition: "{{ item % 2 = 0 }}" })]],
    ["sort", [node("x", "list", { items: "{{ data.rows }}", operation: "sort", by: "name" })]],
    ["unique", [node("x", "list", { items: "{{ data.rows }}", operation: "unique" })]],
    ["group", [node("x", "list", { items: "{{ data.rows }}", operation: "group", by: "id" })]],
    [
      "merge by key",
      [node("x", "merge", { mode: "byKey", sources: ["{{ data.rows }}", "{{ data.rows }}"] })],
    ],
    [
      "switch",
      [node("x", "switch", { value: "{{ data.rows }}", cases: [{ name: "a", equals: "{{ data.rows }}" }] })],
    ],
    [
      "a template of many expressions",
      [
        node("x", "template", {
          text: Array.from({ length: 2_000 }, (_, at) => `{{ $length($uppercase(data.text)) + ${at} }}`).join(
            " ",
          ),
        }),
      ],
    ],
  ])("%s", async (_name, nodes) => {
    const { loops, outcome } = await countLoops(graphOf([start, ...nodes], "start x"), {
      data: { numbers, rows: rows.slice(0, 20_000), text: "x".repeat(50_000) },
    });
    expect(outcome.kind).toBe("completed");
    // Once is what a flow without a pause has, however fast the machine.
    expect(loops).toBeGreaterThan(1);
  });

  test("a text with a large value in it", async () => {
    const nodes = [node("x", "set", { values: { text: "All: {{ data.rows }}" } })];
    const { loops, outcome } = await countLoops(graphOf([start, ...nodes], "start x"), {
      data: { rows: [...rows, ...rows] },
    });
    expect(outcome.kind).toBe("completed");
    expect(loops).toBeGreaterThan(1);
  });

  test("an abort is heard in the middle of it", async () => {
    const controller = new AbortController();
    const nodes = [
      node("x", "while", { condition: true, maxIterations: 10_000 }),
      inside("x", node("y", "set", { values: { a: "{{ index }}" } })),
    ];
    const graph = graphOf([start, ...nodes], "start x");
    setImmediate(() => controller.abort());
    const { outcome } = await countLoops(graph, { signal: controller.signal });
    expect(outcome.kind).toBe("aborted");
  });
});
