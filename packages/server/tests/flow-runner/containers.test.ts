import { describe, expect, test } from "vitest";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const each = (inputs: Record<string, unknown>, data: object = {}) => node("each", "for-each", inputs, data);

describe("for-each", () => {
  test("runs its children once for each item and keeps the order of the items", async () => {
    const graph = graphOf(
      [
        start,
        each({ items: "{{ data.items }}", concurrency: 3 }),
        inside("each", node("fetch", "effect", { value: "{{ item.id }}", after: "{{ item.after }}" })),
        inside(
          "each",
          node("shape", "set", { values: { id: "{{ nodes.fetch.value }}", at: "{{ index }}" } }),
        ),
        node("end", "return", { value: { all: "{{ nodes.each.items }}" } }),
      ],
      "start each \n fetch shape \n each:done end",
    );
    const { outcome, began, effects } = await run(graph, {
      data: {
        items: [
          { id: "a", after: "fetch[1]" },
          { id: "b", after: "" },
          { id: "c", after: "fetch[1]" },
          { id: "d", after: "" },
        ],
      },
    });
    expect(outcome).toMatchObject({
      kind: "completed",
      output: {
        all: [
          { id: "a", at: 0 },
          { id: "b", at: 1 },
          { id: "c", at: 2 },
          { id: "d", at: 3 },
        ],
      },
    });
    expect(effects[0]).toBe("fetch[1]");
    expect(began.slice(0, 5)).toEqual(["start", "each", "fetch[0]", "fetch[1]", "fetch[2]"]);
    expect(began).toContain("shape[3]");
  });

  test("inside of another shares its lanes with the whole run, and ends all the same", async () => {
    let underWay = 0;
    let most = 0;
    const graph = graphOf(
      [
        start,
        each({ items: "{{ data.outer }}", concurrency: 100 }),
        inside("each", node("inner", "for-each", { items: "{{ data.inner }}", concurrency: 100 })),
        inside("inner", node("x", "effect", { value: "{{ item }}", delayMs: 500 })),
        node("end", "return", { value: { all: "{{ nodes.each.items }}" } }),
      ],
      "start each \n each:done end",
    );
    const list = (length: number) => Array.from({ length }, (_, at) => at);
    const { outcome } = await run(graph, {
      data: { outer: list(40), inner: list(60) },
      onNode: ({ nodeId, status }) => {
        if (nodeId !== "x") return;
        underWay += status === "EXECUTING" ? 1 : -1;
        most = Math.max(most, underWay);
      },
    });
    expect(outcome).toMatchObject({ kind: "completed" });
    // Each of the forty may have one more than there is room for.
    expect(most).toBeLessThanOrEqual(1_000 + 40);
    expect(most).toBeGreaterThan(100);
    expect(underWay).toBe(0);
  });

  test("counts what loops deeper inside of it hold open: a run that ends has to end all of it at once", async () => {
    let open = 0;
    let most = 0;
    const depth = 4;
    const loops = Array.from({ length: depth }, (_, at) => {
      const loop = node(`loop${at}`, "for-each", { items: [1, 2, 3, 4, 5, 6, 7, 8], concurrency: 100 });
      return at === 0 ? loop : inside(`loop${at - 1}`, loop);
    });
    const work = inside(`loop${depth - 1}`, node("x", "effect", { delayMs: 100 }));
    await run(graphOf([start, ...loops, work], "start loop0"), {
      onNode: ({ status }) => {
        open += status === "EXECUTING" ? 1 : -1;
        most = Math.max(most, open);
      },
    });
    expect(most).toBeLessThanOrEqual(1_050);
    expect(most).toBeGreaterThan(500);
  });

  test("never has more items under way than its concurrency", async () => {
    let underWay = 0;
    let most = 0;
    const graph = graphOf(
      [
        start,
        each({ items: [1, 2, 3, 4, 5, 6], concurrency: 2 }),
        inside("each", node("x", "effect", { delayMs: 2 })),
      ],
      "start each",
    );
    await run(graph, {
      onNode: ({ nodeId, status }) => {
        if (nodeId !== "x") return;
        underWay += status === "EXECUTING" ? 1 : -1;
        most = Math.max(most, underWay);
      },
    });
    expect(most).toBe(2);
  });

  test("fails at the first error unless it is told to continue", async () => {
    const graph = (onItemError: string) =>
      graphOf(
        [
          start,
          each({ items: [0, 1, 0], onItemError }),
          inside("each", node("x", "flaky", { times: "{{ item }}" })),
        ],
        "start each",
      );
    const failed = await run(graph("fail"));
    expect(failed.outcome).toMatchObject({ kind: "failed", error: { name: "Broken", nodeId: "x" } });
    expect(failed.began).not.toContain("x[2]");
    expect((await run(graph("continue"))).outcome).toMatchObject({
      output: {
        each: {
          items: [{ failed: 0 }, null, { failed: 0 }],
          errors: [{ index: 1, error: { name: "Broken", message: "It broke." } }],
        },
      },
    });
  });

  test("aborts its other rounds when one of them fails, and the flow can go on", async () => {
    const graph = graphOf(
      [
        start,
        each({ items: [0, 1], concurrency: 2 }, { onError: "branch" }),
        inside("each", node("i", "if", { condition: "{{ item = 1 }}" })),
        inside("each", node("x", "flaky", { times: 1 })),
        inside("each", node("hang", "hang")),
        node("bad", "set", { values: { why: "{{ nodes.each.error.message }}" } }),
      ],
      "start each \n i:true x \n i:false hang \n each:error bad",
    );
    expect((await run(graph)).outcome).toMatchObject({
      kind: "completed",
      output: { bad: { why: "It broke." } },
    });
  });

  test("of several last children makes an object by id, without those that did not run", async () => {
    const graph = graphOf(
      [
        start,
        each({ items: [1, 2] }),
        inside("each", node("i", "if", { condition: "{{ item = 1 }}" })),
        inside("each", node("a", "set", { values: { x: 1 } })),
        inside("each", node("b", "set", { values: { y: 2 } })),
      ],
      "start each \n i:true a \n i:false b",
    );
    expect((await run(graph)).outcome).toMatchObject({
      output: { each: { items: [{ a: { x: 1 } }, { b: { y: 2 } }] } },
    });
  });

  test("nests, with a key of its own for every round of every loop", async () => {
    const graph = graphOf(
      [
        start,
        node("outer", "for-each", { items: [[1, 2], [3]] }),
        inside("outer", node("inner", "for-each", { items: "{{ item }}" })),
        inside("inner", node("x", "set", { values: { v: "{{ item }}", i: "{{ index }}" } })),
      ],
      "start outer",
    );
    const { outcome, began } = await run(graph);
    expect(began.filter((key) => key.includes("x["))).toEqual([
      "inner[0].x[0]",
      "inner[0].x[1]",
      "inner[1].x[0]",
    ]);
    expect(outcome).toMatchObject({
      output: {
        outer: {
          items: [
            {
              items: [
                { v: 1, i: 0 },
                { v: 2, i: 1 },
              ],
            },
            { items: [{ v: 3, i: 0 }] },
          ],
        },
      },
    });
  });

  test("of nothing is nothing", async () => {
    const graph = graphOf([start, each({ items: [] }), inside("each", node("x", "hang"))], "start each");
    expect((await run(graph)).outcome).toMatchObject({ output: { each: { items: [], errors: [] } } });
  });

  test("ends with its whole flow where a return is reached inside it", async () => {
    const graph = graphOf(
      [
        start,
        each({ items: [1, 2, 3] }),
        inside("each", node("i", "if", { condition: "{{ item = 2 }}" })),
        inside("each", node("r", "return", { value: { found: "{{ item }}" } })),
        node("after", "set", { values: {} }),
      ],
      "start each \n i:true r \n each after",
    );
    const { outcome, began } = await run(graph);
    expect(outcome).toMatchObject({ kind: "completed", output: { found: 2 } });
    expect(began).not.toContain("i[2]");
    expect(began).not.toContain("after");
  });

  test("is stopped by its timeout, its children too", async () => {
    const graph = graphOf(
      [start, each({ items: [1] }, { timeoutSeconds: 0.02 }), inside("each", node("x", "hang"))],
      "start each",
    );
    expect((await run(graph)).outcome).toMatchObject({
      kind: "failed",
      error: { name: "NodeTimeout", nodeId: "each" },
    });
  });

  test("cannot go on without end", async () => {
    const items = Array.from({ length: 60_000 }, () => 0);
    const graph = graphOf(
      [
        start,
        each({ items }),
        inside("each", node("x", "set", { values: {} })),
        inside("each", node("y", "set", { values: {} })),
      ],
      "start each \n x y",
    );
    expect((await run(graph)).outcome).toMatchObject({ kind: "failed", error: { name: "RunTooLong" } });
  });
});

describe("pure work", () => {
  test("never holds up an effect that does not need it", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `pure${index}`);
    const graph = graphOf(
      [
        node("start", "start"),
        ...ids.map((id) => node(id, "set", { values: {} })),
        node("leads", "set", { values: {} }),
        node("x", "effect"),
        node("behind", "set", { values: {} }),
        node("y", "effect"),
      ],
      [...ids.map((id) => `start ${id}`), "start leads", "leads x", "x behind", "behind y"].join("\n"),
    );
    const { began } = await run(graph);
    expect(began.slice(0, 3)).toEqual(["start", "leads", "x"]);
    expect(began).toHaveLength(45);
  });
});
