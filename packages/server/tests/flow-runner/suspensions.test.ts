import { describe, expect, test } from "vitest";
import { answer, kept } from "./support/kept-records.ts";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown>) => node(id, "set", { values });

describe("a suspension", () => {
  test("lets other branches run on, then parks the run", async () => {
    const graph = graphOf(
      [
        start,
        node("ask", "suspend", { message: "Sure?" }),
        node("x", "effect", { delayMs: 5, value: 1 }),
        set("b", {}),
        set("end", { by: "{{ nodes.ask.by }}", v: "{{ nodes.x.value }}" }),
      ],
      "start ask \n start x \n x b \n b end \n ask:approved end",
    );
    const first = await run(graph);
    expect(first.outcome.kind).toBe("suspended");
    expect(first.waiting).toEqual(["ask"]);
    expect(first.began).toEqual(["start", "ask", "x", "b"]);

    const second = await run(graph, {
      restored: new Map([...kept(first), answer("ask", { by: "ada" }, "approved")]),
    });
    expect(second.began).toEqual(["end"]);
    expect(second.outcome).toMatchObject({ kind: "completed", output: { end: { by: "ada", v: 1 } } });
  });

  test("may be one of several, answered one by one", async () => {
    const graph = graphOf(
      [start, node("a", "suspend"), node("b", "suspend"), set("end", {})],
      "start a \n start b \n a:approved end \n b:approved end",
    );
    const first = await run(graph);
    expect(first.waiting).toEqual(["a", "b"]);
    const second = await run(graph, { restored: new Map([...kept(first), answer("a", {}, "approved")]) });
    expect(second.outcome.kind).toBe("suspended");
    expect(second.waiting).toEqual(["b"]);
    const third = await run(graph, {
      restored: new Map([...kept(first), answer("a", {}, "approved"), answer("b", {}, "approved")]),
    });
    expect(third.outcome.kind).toBe("completed");
  });

  test("gives way to a return of another branch", async () => {
    const graph = graphOf(
      [start, node("ask", "suspend"), node("r", "return", { value: { ok: true } })],
      "start ask \n start r",
    );
    expect((await run(graph)).outcome).toMatchObject({ kind: "completed", output: { ok: true } });
  });

  test("without a handle in its answer leaves by the default one", async () => {
    const wait = { ...node("w", "effect") };
    const graph = graphOf([start, wait, set("end", {})], "start w \n w end");
    expect((await run(graph, { restored: new Map([answer("w", {})]) })).began).toEqual(["start", "end"]);
  });

  test("inside a loop parks its round, keeps its lane and goes on when it is answered", async () => {
    const graph = graphOf(
      [
        start,
        node("each", "for-each", { items: [1, 2, 3], concurrency: 2 }),
        inside("each", node("x", "effect", { value: "{{ item }}" })),
        inside("each", node("ask", "suspend")),
        inside("each", set("v", { of: "{{ nodes.x.value }}", by: "{{ nodes.ask.by }}" })),
        node("end", "return", {
          value: { all: "{{ nodes.each.items.of }}", by: "{{ nodes.each.items.by }}" },
        }),
      ],
      "start each \n x ask \n ask:approved v \n each end",
    );
    const first = await run(graph);
    expect(first.outcome.kind).toBe("suspended");
    expect(first.waiting).toEqual(["ask[0]", "ask[1]"]);
    expect(first.effects).toEqual(["x[0]", "x[1]"]);

    const answers = new Map([...kept(first), answer("ask[1]", { by: "bob" }, "approved")]);
    const second = await run(graph, { restored: answers });
    expect(second.outcome.kind).toBe("suspended");
    expect(second.waiting.toSorted()).toEqual(["ask[0]", "ask[2]"]);
    expect(second.effects).toEqual(["x[2]"]);

    const all = new Map([
      ...answers,
      ...kept(second),
      answer("ask[0]", { by: "ada" }, "approved"),
      answer("ask[2]", { by: "eve" }, "approved"),
    ]);
    const third = await run(graph, { restored: all });
    expect(third.effects).toEqual([]);
    expect(third.outcome).toMatchObject({
      kind: "completed",
      output: { all: [1, 2, 3], by: ["ada", "bob", "eve"] },
    });
  });

  test("inside nested loops works too", async () => {
    const graph = graphOf(
      [
        start,
        node("outer", "while", { condition: "{{ index < 2 }}" }),
        inside("outer", node("inner", "for-each", { items: [5] })),
        inside("inner", node("ask", "suspend")),
        inside("inner", set("v", { by: "{{ nodes.ask.by }}" })),
      ],
      "start outer \n ask:approved v",
    );
    const first = await run(graph);
    expect(first.waiting).toEqual(["inner[0].ask[0]"]);
    const answers = new Map([...kept(first), answer("inner[0].ask[0]", { by: "a" }, "approved")]);
    const second = await run(graph, { restored: answers });
    expect(second.waiting).toEqual(["inner[1].ask[0]"]);
    const third = await run(graph, {
      restored: new Map([...answers, ...kept(second), answer("inner[1].ask[0]", { by: "b" }, "approved")]),
    });
    expect(third.outcome).toMatchObject({
      output: { outer: { iterations: 2, last: { items: [{ by: "b" }] } } },
    });
  });
});
