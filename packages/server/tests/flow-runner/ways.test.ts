import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import { DurableRun } from "./support/durable-run.ts";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown> = {}, data: object = {}) =>
  node(id, "set", { values }, data);
const post = (id: string, inputs: Record<string, unknown> = {}, data: object = {}) =>
  node(id, "post", inputs, data);

const sandbox = createSandbox();
afterAll(() => sandbox.close());

/** Both ways are saved, whoever looks at the records afterwards. */
const race = (join: ReturnType<typeof node>, ...more: ReturnType<typeof node>[]) =>
  graphOf(
    [start, node("late", "suspend"), post("quick", { value: 1 }), join, ...more],
    `start late \n late:approved join \n start quick \n quick join ${more.map(({ id }) => `\n join ${id}`).join("")}`,
  );

describe("a node that joins any", () => {
  const which = { late: "{{ nodes.late.value }}", quick: "{{ nodes.quick.value }}", at: "{{ $millis() }}" };
  const join = set("join", which, { join: "any" });

  test("begins by the same way again, sees the same and sends the same, after a lost worker", async () => {
    const flow = new DurableRun(race(join, post("send", { value: "{{ nodes.join }}", hangs: true })));
    await flow.goUntilLost(() => flow.count("send") === 1);
    flow.answer("late", { value: 2 });
    await flow.goUntilLost(() => flow.count("send") === 2);
    const [first, second] = flow.sent.filter(({ nodeKey }) => nodeKey === "send");
    expect(first?.value).toMatchObject({ quick: 1 });
    expect(second?.value).toEqual(first?.value);
  });

  test("is remembered before it begins, also where it is an effect itself", async () => {
    const flow = new DurableRun(
      race(
        post(
          "join",
          { value: "{{ nodes.late.value ? nodes.late.value : nodes.quick.value }}", hangs: true },
          { join: "any" },
        ),
      ),
    );
    await flow.goUntilLost(() => flow.count("join") === 1);
    expect(flow.records.get("join")).toMatchObject({ status: "EXECUTING", joinedFrom: "quick" });
    flow.answer("late", { value: 2 });
    await flow.goUntilLost(() => flow.count("join") === 2);
    expect(flow.sent.filter(({ nodeKey }) => nodeKey === "join").map(({ value }) => value)).toEqual([1, 1]);
  });

  test("keeps a way that needed nothing from outside", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          post("slow", { value: 2 }),
          set("quick", { value: 1 }),
          post(
            "join",
            { value: "{{ [nodes.quick.value, nodes.slow.value] }}", hangs: true },
            { join: "any" },
          ),
        ],
        "start slow \n start quick \n slow join \n quick join",
      ),
    );
    await flow.goUntilLost(() => flow.records.has("slow") && flow.count("join") === 1);
    await flow.goUntilLost(() => flow.count("join") === 2);
    expect(flow.sent.filter(({ nodeKey }) => nodeKey === "join").map(({ value }) => value)).toEqual([
      [1],
      [1],
    ]);
  });

  test("costs nothing where nothing else could have been first", async () => {
    const { saved, outcome } = await run(
      graphOf(
        [
          start,
          set("a", { value: 1 }),
          set("b", { value: 2 }),
          set("join", { a: "{{ nodes.a.value }}", b: "{{ nodes.b.value }}" }, { join: "any" }),
        ],
        "start a \n start b \n a join \n b join",
      ),
    );
    expect(saved).toEqual([]);
    expect(outcome).toMatchObject({ kind: "completed", output: { join: { a: 1 } } });
    expect(outcome).not.toHaveProperty("output.join.b");
  });

  test("inside a loop is remembered for each round", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [1, 2], concurrency: 2 }),
          inside("each", node("late", "suspend")),
          inside("each", post("quick")),
          inside("each", post("join", { value: "{{ nodes.late.value }}", hangs: true }, { join: "any" })),
        ],
        "start each \n late:approved join \n quick join",
      ),
    );
    await flow.goUntilLost(() => flow.count("join[0]") + flow.count("join[1]") === 2);
    for (const key of ["late[0]", "late[1]"]) flow.answer(key, { value: 9 });
    await flow.goUntilLost(() => flow.count("join[0]") + flow.count("join[1]") === 4);
    const values = flow.sent.filter(({ nodeKey }) => nodeKey.startsWith("join")).map(({ value }) => value);
    expect(values).toEqual([null, null, null, null]);
  });
});

describe("a node that does not come before", () => {
  test.each([
    ["by its name", "{{ nodes.beside.value }}"],
    ["among all nodes", "{{ $string($lookup(nodes, 'beside')) }}"],
  ])("cannot be read %s, whoever ends first", async (_how, value) => {
    const flow = new DurableRun(
      graphOf(
        [start, post("beside", { value: 7 }), node("ask", "suspend"), post("send", { value, hangs: true })],
        "start beside \n start ask \n ask:approved send",
      ),
      { services: { now: () => Date.now(), sandbox } as unknown as NodeServices },
    );
    await flow.go();
    flow.answer("ask");
    await flow.goUntilLost(() => flow.count("send") === 1);
    expect(flow.records.get("beside")).toMatchObject({ status: "COMPLETED" });
    expect(flow.sent.find(({ nodeKey }) => nodeKey === "send")?.value).toBeNull();
  });

  test("cannot be read inside of a loop either", async () => {
    const { outcome } = await run(
      graphOf(
        [
          start,
          set("beside", { value: 7 }),
          set("before", { value: 3 }),
          node("each", "for-each", { items: [1] }),
          inside(
            "each",
            set("in", { beside: "{{ nodes.beside.value }}", before: "{{ nodes.before.value }}" }),
          ),
        ],
        "start beside \n start before \n before each",
      ),
    );
    expect(outcome).toMatchObject({ output: { each: { items: [{ before: 3 }] } } });
    expect(JSON.stringify(outcome)).not.toContain('"beside":7');
  });

  test("can be read as the round before left it", async () => {
    const { outcome } = await run(
      graphOf(
        [
          start,
          node("again", "while", { condition: "{{ index < 3 }}" }),
          inside("again", set("a", { of: "{{ nodes.b.index }}" })),
          inside("again", set("b", { index: "{{ index }}" })),
          inside("again", set("last", { a: "{{ nodes.a.of }}", b: "{{ nodes.b.index }}" })),
        ],
        "start again \n a last \n b last",
      ),
    );
    expect(outcome).toMatchObject({ output: { again: { iterations: 3, last: { a: 1, b: 2 } } } });
  });
});

test("a node that starts a run has its input in the record, also where the flow ended while that was evaluated", async () => {
  const slow = { run: () => delay(50, { value: [3] }) };
  const flow = new DurableRun(
    graphOf(
      [
        start,
        node("child", "run-flow", { flowId: "flow_2", wait: false, data: { order: "{{ $shuffle([3]) }}" } }),
        node("end", "return", { value: { ok: true } }),
      ],
      "start child \n start end",
    ),
    { services: { now: () => Date.now(), sandbox: slow } as unknown as NodeServices },
  );
  expect((await flow.go()).outcome).toMatchObject({ kind: "completed", output: { ok: true } });
  expect(flow.records.get("child")).toMatchObject({
    status: "ABORTED",
    input: { flowId: "flow_2", data: { order: [3] } },
  });
});

test("an effect does not wait for the code of its own run", async () => {
  const flow = new DurableRun(
    graphOf(
      [
        start,
        node("each", "for-each", { items: Array.from({ length: 300 }, (_, at) => at), concurrency: 100 }),
        inside("each", node("compute", "code", { source: "return input", input: "{{ index }}" })),
        node("gate", "suspend"),
        post("send", { value: "{{ $shuffle([1]) }}" }),
      ],
      "start each \n start gate \n gate:approved send",
    ),
    { services: { now: () => Date.now(), sandbox } as unknown as NodeServices },
  );
  let computed = 0;
  let before = -1;
  const crowd = Promise.withResolvers<Record<string, unknown>>();
  let begun = 0;
  await flow.go({
    answers: new Map([["gate", crowd.promise]]),
    onNode: ({ nodeId, status }) => {
      if (nodeId === "compute" && status === "EXECUTING") begun += 1;
      // The code of a hundred rounds waits for its turn.
      if (begun === 100) crowd.resolve({ handle: "approved" });
      if (nodeId === "compute" && status === "COMPLETED") computed += 1;
      if (nodeId === "send" && status === "COMPLETED") before = computed;
    },
  });
  expect(computed).toBe(300);
  expect(before).toBeLessThan(50);
}, 120_000);
