import { afterAll, describe, expect, test } from "vitest";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import { DurableRun } from "./support/durable-run.ts";
import { graphOf, inside, node } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown> = {}) => node(id, "set", { values });
const post = (id: string, inputs: Record<string, unknown> = {}) => node(id, "post", inputs);

const sandbox = createSandbox();
afterAll(() => sandbox.close());

let clockMs = 1_000;
const services = { now: () => (clockMs += 10), sandbox } as unknown as NodeServices;
const withSandbox = { services };

describe("what is now for a flow", () => {
  test("is its first start, then the last fact on the own path", async () => {
    const now = "{{ $millis() }}";
    const flow = new DurableRun(
      graphOf(
        [
          start,
          set("first", { now, text: "{{ $now() }}" }),
          post("x"),
          set("behind", { now }),
          set("later", { now }),
          set("beside", { now }),
          node("end", "return", {
            value: {
              first: "{{ nodes.first }}",
              behind: "{{ nodes.behind.now }}",
              later: "{{ nodes.later.now }}",
              beside: "{{ nodes.beside.now }}",
            },
          }),
        ],
        "start first \n first x \n x behind \n behind later \n later end \n start beside \n beside end",
      ),
    );
    const { outcome } = await flow.go();
    const factMs = flow.records.get("x")?.endedAt;
    expect(outcome).toMatchObject({
      output: {
        first: { now: 1_000, text: "1970-01-01T00:00:01.000Z" },
        behind: factMs,
        later: factMs,
        beside: 1_000,
      },
    });
  });

  test("is the last fact inside of a container behind it, and of the round before in a row of rounds", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [1, 2] }),
          inside("each", set("before", { now: "{{ $millis() }}" })),
          inside("each", post("x")),
          set("end", { now: "{{ $millis() }}" }),
        ],
        "start each \n before x \n each end",
      ),
    );
    const first = await flow.go();
    const [one, two] = [flow.records.get("x[0]")!.endedAt, flow.records.get("x[1]")!.endedAt];
    expect(flow.records.get("before[0]")?.output).toEqual({ now: 1_000 });
    expect(flow.records.get("before[1]")?.output).toEqual({ now: one });
    expect(first.outcome).toMatchObject({ output: { end: { now: two } } });
    flow.records.delete("end");
    expect((await flow.go()).outcome).toMatchObject({ output: { end: { now: two } } });
    flow.records.delete("each");
    flow.records.delete("end");
    expect((await flow.go()).outcome).toMatchObject({ output: { end: { now: two } } });
  });

  test("keeps the rounds of a while that were true", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("again", "while", { condition: "{{ $millis() < data.deadline }}" }),
          inside("again", post("x", { value: "{{ index }}" })),
          inside("again", node("ask", "suspend")),
          set("end", { rounds: "{{ nodes.again.iterations }}" }),
        ],
        "start again \n x ask \n again end",
      ),
      { data: { deadline: 3_500 } },
    );
    let rounds = 0;
    for (; (await flow.go()).outcome.kind === "suspended"; rounds += 1) flow.answer(`ask[${rounds}]`);
    expect(rounds).toBeGreaterThan(1);
    expect(flow.records.get("end")?.output).toEqual({ rounds });
    expect(flow.sent.map(({ value }) => value)).toEqual(Array.from({ length: rounds }, (_, index) => index));
  });

  test("does not take back a round, even where the condition reads something else by now", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("again", "while", { condition: "{{ run.attempt = 1 and index < 2 }}" }),
          inside("again", post("x", { failures: "{{ index }}" })),
          set("end", { rounds: "{{ nodes.again.iterations }}" }),
        ],
        "start again \n again end",
      ),
    );
    const identity = { id: "run_1", flowId: "flow_1", organizationId: "org_1" };
    expect((await flow.go({ run: { ...identity, attempt: 1 } })).outcome.kind).toBe("failed");
    const { outcome } = await flow.go({ run: { ...identity, attempt: 2 } });
    expect(outcome).toMatchObject({ output: { end: { rounds: 2 } } });
    expect([flow.count("x[0]"), flow.count("x[1]")]).toEqual([1, 2]);
  });

  test("does not change the items of a loop", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: "{{ run.attempt = 1 ? [1, 2] : [3, 4, 5] }}" }),
          inside("each", post("x", { value: "{{ item }}", failures: "{{ index }}" })),
        ],
        "start each",
      ),
    );
    const identity = { id: "run_1", flowId: "flow_1", organizationId: "org_1" };
    await flow.go({ run: { ...identity, attempt: 1 } });
    expect((await flow.go({ run: { ...identity, attempt: 2 } })).outcome.kind).toBe("completed");
    expect(flow.sent.map(({ value }) => value)).toEqual([1, 2, 2]);
  });
});

describe("chance in a flow", () => {
  const items = Array.from({ length: 20 }, (_, index) => index);

  test("is the same after a pause: a shuffled loop goes through each item once", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: "{{ $shuffle(data.items) }}" }),
          inside("each", post("x", { value: "{{ item }}" })),
          inside("each", node("ask", "suspend")),
        ],
        "start each \n x ask",
      ),
      { data: { items }, ...withSandbox },
    );
    for (const [index] of items.entries()) {
      await flow.go();
      flow.answer(`ask[${index}]`);
      // As if nothing but facts were kept.
      flow.records.delete("each");
    }
    expect((await flow.go()).outcome.kind).toBe("completed");
    const order = flow.sent.map(({ value }) => value);
    expect(order).not.toEqual(items);
    expect(order.toSorted((a, b) => Number(a) - Number(b))).toEqual(items);
  });

  const source = `return {
    now: Date.now(), date: new Date().toISOString(), text: Date().length > 0, random: Math.random(), id: crypto.randomUUID(),
    bytes: [...crypto.getRandomValues(new Uint8Array(4))] };`;
  const chances = graphOf(
    [
      start,
      node("a", "code", { source }),
      node("b", "code", { source }),
      node("c", "transform", {
        expression: `{ "r": $random(), "s": $random(), "now": $millis(), "text": $now("[Y0001]") }`,
      }),
    ],
    "start a \n start b \n start c",
  );
  const outputOf = async (id: string) => {
    const run = { id, attempt: 1, flowId: "flow_1", organizationId: "org_1" };
    const { outcome } = await new DurableRun(chances, { ...withSandbox, run }).go();
    return outcome.kind === "completed" ? (outcome.output as Record<string, Record<string, unknown>>) : {};
  };

  test("and time are a function of the run and the node", async () => {
    const output = await outputOf("run_1");
    expect(output).toEqual(await outputOf("run_1"));
    expect(output["a"]).toMatchObject({ now: 1_000, date: "1970-01-01T00:00:01.000Z", text: true });
    expect(output["c"]).toMatchObject({ value: { now: 1_000, text: "1970" } });
    expect(output["a"]!["id"]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    const other = await outputOf("run_2");
    const drawn = [output["a"], output["b"], other["a"], other["b"]].map((each) => each!["random"]);
    expect(new Set(drawn).size).toBe(4);
    const { r, s } = output["c"]!["value"] as { r: number; s: number };
    expect(r).not.toBe(s);
  });

  test("differs from round to round of a condition", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("again", "while", { condition: "{{ $random() < 0.9 }}" }),
          inside("again", set("v", { r: "{{ $random() }}" })),
        ],
        "start again",
      ),
      withSandbox,
    );
    const { outcome } = await flow.go();
    expect(outcome.kind).toBe("completed");
    const iterations = flow.records.get("again")?.output?.["iterations"] as number;
    expect(iterations).toBeLessThan(100);
    const drawn = Array.from(
      { length: iterations },
      (_, index) => flow.records.get(`v[${index}]`)?.output?.["r"],
    );
    expect(new Set(drawn).size).toBe(iterations);
  });

  test("a repeated effect sends the same again", async () => {
    const flow = new DurableRun(
      graphOf(
        [start, post("x"), post("y", { value: { id: "{{ $random() }}", at: "{{ $now() }}" } })],
        "start x \n x y",
      ),
      withSandbox,
    );
    await flow.goUntilLost(() => flow.count("y") === 1);
    await flow.goUntilLost(() => flow.count("y") === 2);
    await flow.go();
    const [first, ...others] = flow.sent.filter(({ nodeKey }) => nodeKey === "y").map(({ value }) => value);
    expect(others).toEqual([first, first]);
  });
});
