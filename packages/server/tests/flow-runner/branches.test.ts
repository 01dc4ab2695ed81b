import { describe, expect, test } from "vitest";
import { graphOf, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown>, data: object = {}) =>
  node(id, "set", { values }, data);

describe("a run", () => {
  test("hands the trigger, the data, earlier outputs and itself to expressions", async () => {
    const graph = graphOf(
      [
        start,
        set("greet", { text: "Hello {{ trigger.body.name }}", n: "{{ data.n + 1 }}" }),
        node("done", "return", {
          value: { text: "{{ nodes.greet.text }}", n: "{{ nodes.greet.n }}", run: "{{ run }}" },
        }),
      ],
      "start greet\n greet done",
    );
    const { outcome, began } = await run(graph, {
      trigger: { body: { name: "Ada" }, headers: {}, query: {}, method: "POST" },
      data: { n: 1 },
    });
    expect(outcome).toMatchObject({
      kind: "completed",
      output: {
        text: "Hello Ada",
        n: 2,
        run: { id: "run_1", attempt: 1, flowId: "flow_1", organizationId: "org_1" },
      },
    });
    expect(began).toEqual(["start", "greet", "done"]);
    expect(outcome.records.map(({ nodeKey, status }) => [nodeKey, status])).toEqual([
      ["start", "COMPLETED"],
      ["greet", "COMPLETED"],
      ["done", "COMPLETED"],
    ]);
    expect(outcome.records[1]).toMatchObject({
      input: { values: { text: "Hello Ada", n: 2 } },
      handle: "out",
      attempts: 1,
    });
  });

  test("without a return outputs what its last nodes made, by id", async () => {
    const graph = graphOf(
      [
        start,
        set("a", { x: 1 }),
        set("b", { x: 2 }),
        node("i", "if", { condition: false }),
        set("c", { x: 3 }),
      ],
      "start a \n start b \n start i \n i:true c",
    );
    expect((await run(graph)).outcome).toMatchObject({
      kind: "completed",
      output: { a: { x: 1 }, b: { x: 2 } },
    });
    expect((await run(graph)).outcome).not.toHaveProperty("output.c");
  });

  test("goes the way of a condition and joins behind it", async () => {
    const graph = graphOf(
      [
        start,
        node("i", "if", { condition: "{{ data.n > 1 }}" }),
        set("yes", { is: "yes" }),
        set("no", { is: "no" }),
        set("end", { y: "{{ nodes.yes.is }}", n: "{{ nodes.no.is }}" }),
      ],
      "start i \n i:true yes \n i:false no \n yes end \n no end",
    );
    expect((await run(graph, { data: { n: 2 } })).outcome).toMatchObject({ output: { end: { y: "yes" } } });
    const { outcome, began } = await run(graph, { data: { n: 0 } });
    expect(outcome).toMatchObject({ output: { end: { n: "no" } } });
    expect(began).toEqual(["start", "i", "no", "end"]);
  });

  test("runs independent branches at the same time", async () => {
    const graph = graphOf(
      [start, node("a", "effect", { after: "b" }), node("b", "effect"), set("end", {})],
      "start a \n start b \n a end \n b end",
    );
    const { began, effects } = await run(graph);
    expect(began).toEqual(["start", "a", "b", "end"]);
    expect(effects).toEqual(["b", "a"]);
  });

  test("joins any at the first edge that is taken, once", async () => {
    const graph = graphOf(
      [
        start,
        node("slow", "effect", { after: "fast", value: 1 }),
        node("fast", "effect", { value: 2 }),
        set("end", { f: "{{ nodes.fast.value }}", s: "{{ nodes.slow.value }}" }, { join: "any" }),
      ],
      "start slow \n start fast \n slow end \n fast end",
    );
    const { outcome, began } = await run(graph);
    expect(outcome).toMatchObject({ output: { end: { f: 2 } } });
    expect(began.filter((key) => key === "end")).toHaveLength(1);
  });

  test("ends with the first return that is reached and aborts the rest", async () => {
    const graph = graphOf(
      [
        start,
        node("hang", "hang"),
        node("slow", "effect", { delayMs: 30_000 }),
        node("fast", "effect", { value: 1 }),
        node("r1", "return", { value: { from: "slow" } }),
        node("r2", "return", { value: { from: "fast" } }),
      ],
      "start hang \n start slow \n start fast \n slow r1 \n fast r2",
    );
    const { outcome, effects, notes } = await run(graph);
    expect(outcome).toMatchObject({ kind: "completed", output: { from: "fast" } });
    expect(effects).toEqual(["fast"]);
    expect(notes).toContain("hang aborted");
  });

  test("is aborted by its signal, and says what was done until then", async () => {
    const controller = new AbortController();
    const graph = graphOf([start, node("hang", "hang")], "start hang");
    const { outcome } = await run(graph, {
      signal: controller.signal,
      onNode: ({ nodeId }) => {
        if (nodeId === "hang") queueMicrotask(() => controller.abort());
      },
    });
    expect(outcome.kind).toBe("aborted");
    expect(outcome.records.map(({ nodeKey }) => nodeKey)).toEqual(["start"]);
  });

  test("does not begin where it is aborted already", async () => {
    const { outcome, began } = await run(graphOf([start], ""), { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ kind: "aborted", records: [], bytes: 0 });
    expect(began).toEqual([]);
  });

  test("uses overrides as data and never evaluates them", async () => {
    const overrides = new Map([["a", new Map<string, unknown>([["values", { text: "{{ data.secret }}" }]])]]);
    const graph = graphOf([start, set("a", { text: "{{ $map(data.x, $string) }}" })], "start a");
    const { outcome } = await run(graph, { overrides, data: { secret: "s" } });
    expect(outcome).toMatchObject({ output: { a: { text: "{{ data.secret }}" } } });
  });

  test("may call its nodes anything", async () => {
    const graph = graphOf(
      [start, set("__proto__", { x: 1 }), set("constructor", { y: "{{ nodes.`__proto__`.x }}" })],
      "start __proto__ \n __proto__ constructor",
    );
    expect((await run(graph)).outcome).toMatchObject({ output: { constructor: { y: 1 } } });
  });

  test("lets timers have their turn while it runs pure nodes", async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => index);
    const graph = graphOf(
      [
        start,
        node("each", "for-each", { items }),
        { ...set("a", { x: "{{ item * 2 }}" }), parentId: "each" },
      ],
      "start each",
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await run(graph);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});

describe("an unbounded expression", () => {
  test("is evaluated by the sandbox, with only what it can read", async () => {
    const jobs: unknown[] = [];
    const sandbox = {
      run: async (job: { source: string; input: unknown }) => {
        jobs.push([job.source, job.input]);
        return { value: ["1"], logs: [] };
      },
      close: async () => undefined,
    };
    const graph = graphOf(
      [start, set("a", { x: "{{ $map(data.n, $string) }}", y: "{{ data.n }}" })],
      "start a",
    );
    const { outcome } = await run(graph, { data: { n: [1] }, services: { now: () => 0, sandbox } as never });
    expect(outcome).toMatchObject({ output: { a: { x: ["1"], y: [1] } } });
    expect(jobs).toEqual([["$map(data.n, $string)", { data: { n: [1] } }]]);
  });

  test("over one value has that value as its context", async () => {
    const graph = graphOf(
      [start, node("t", "transform", { input: "{{ data.list }}", expression: "$sum(price)" })],
      "start t",
    );
    const { outcome } = await run(graph, { data: { list: [{ price: 1 }, { price: 2 }] } });
    expect(outcome).toMatchObject({ output: { t: { value: 3 } } });
  });
});
