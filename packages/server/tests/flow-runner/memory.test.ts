import { describe, expect, test } from "vitest";
import type { NodeServices } from "../../src/engine/nodes/node-type.ts";
import { DurableRun } from "./support/durable-run.ts";
import { graphOf, inside, node } from "./support/test-flow.ts";

const start = node("start", "start");
const set = (id: string, values: Record<string, unknown> = {}) => node(id, "set", { values });
const post = (id: string, inputs: Record<string, unknown> = {}, data: object = {}) =>
  node(id, "post", inputs, data);

describe("what failed and was handled", () => {
  test.each(["continue", "branch"])("by onError %s is never sent again", async (onError) => {
    const flow = new DurableRun(
      graphOf(
        [start, post("x", { failures: 9 }, { onError }), node("ask", "suspend"), post("y"), set("end")],
        `start x \n ${onError === "branch" ? "x:error" : "x"} ask \n ask:approved y \n y end`,
      ),
    );
    await flow.go();
    await flow.goUntilLost(() => true);
    flow.answer("ask");
    await flow.goUntilLost(() => flow.count("y") === 1);
    const { outcome } = await flow.go();
    expect(outcome.kind).toBe("completed");
    expect(flow.count("x")).toBe(1);
    // It was under way when its worker was lost.
    expect(flow.count("y")).toBe(2);
  });

  test("is saved before the next node begins", async () => {
    const flow = new DurableRun(
      graphOf(
        [start, post("x", { failures: 9 }, { onError: "continue" }), post("y", { hangs: true })],
        "start x \n x y",
      ),
    );
    await flow.goUntilLost(() => flow.count("y") === 1);
    expect(flow.records.get("x")).toMatchObject({
      status: "FAILED",
      handle: "out",
      error: { name: "Refused" },
    });
  });

  test("as an item of a loop is noted once, and its round does not begin again", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [9, 0, 9], onItemError: "continue", concurrency: 2 }),
          inside("each", post("x", { failures: "{{ item }}" })),
          inside("each", node("ask", "suspend")),
          inside("each", post("beside", { hangs: "{{ item = 9 }}" })),
          node("end", "return", { value: { errors: "{{ nodes.each.errors.index }}" } }),
        ],
        "start each \n x ask \n each end",
      ),
    );
    expect((await flow.go()).outcome.kind).toBe("suspended");
    await flow.goUntilLost(() => true);
    flow.answer("ask[1]");
    const { outcome } = await flow.go();
    expect(outcome).toMatchObject({ kind: "completed", output: { errors: [0, 2] } });
    for (const key of ["x[0]", "x[1]", "x[2]"]) expect([key, flow.count(key)]).toEqual([key, 1]);
    for (const key of ["beside[0]", "beside[1]", "beside[2]"]) expect(flow.count(key)).toBeLessThanOrEqual(1);
  });

  test("deep inside of a loop that goes on stays so", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [1, 2], onItemError: "continue" }),
          inside("each", node("again", "while", { condition: "{{ index < 2 }}" })),
          inside("again", post("x", { failures: 9 })),
          node("ask", "suspend"),
          set("end", { errors: "{{ nodes.each.errors.index }}" }),
        ],
        "start each \n each ask \n ask:approved end",
      ),
    );
    await flow.goUntilLost(() => flow.count("again[1].x[0]") === 1);
    await flow.go();
    flow.answer("ask");
    expect((await flow.go()).outcome).toMatchObject({ output: { end: { errors: [0, 1] } } });
    expect(flow.count("again[0].x[0]")).toBe(1);
    expect(flow.count("again[1].x[0]")).toBe(2);
  });

  test("by the onError of a container does not let its other rounds begin again", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [9, 0], concurrency: 2 }, { onError: "continue" }),
          inside(
            "each",
            post("x", {
              failures: "{{ item }}",
              hangs: "{{ item = 0 }}",
              after: "{{ item = 9 ? 'x[1]' : '' }}",
            }),
          ),
          post("y", { hangs: true }),
        ],
        "start each \n each y",
      ),
    );
    await flow.goUntilLost(() => flow.count("y") === 1);
    await flow.goUntilLost(() => flow.count("y") === 2);
    expect([flow.count("x[0]"), flow.count("x[1]")]).toEqual([1, 1]);
    expect(flow.records.get("x[1]")).toMatchObject({ status: "ABORTED", input: { hangs: true } });
  });

  test("because of a limit of time is not tried again", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [1, 2, 3] }, { onError: "branch", timeoutSeconds: 0.05 }),
          inside("each", post("x", { hangs: true })),
          node("ask", "suspend"),
          set("end"),
        ],
        "start each \n each:error ask \n ask:approved end",
      ),
      { services: { now: () => Date.now() } as NodeServices },
    );
    await flow.go();
    flow.answer("ask");
    expect((await flow.go()).outcome.kind).toBe("completed");
    expect(flow.sent.map(({ nodeKey }) => nodeKey)).toEqual(["x[0]"]);
    expect(flow.records.get("x[0]")).toMatchObject({ status: "TIMED_OUT" });
    expect(flow.records.get("each")).toMatchObject({ status: "FAILED", error: { name: "NodeTimeout" } });
  });
});

describe("attempts of a node", () => {
  const retry = { maxAttempts: 3, backoffSeconds: 0 };

  test("that were made are not made again", async () => {
    const flow = new DurableRun(
      graphOf([start, post("x", { failures: 2 }, { retry }), set("end")], "start x \n x end"),
    );
    await flow.goUntilLost(() => flow.records.get("x")?.attempts === 1);
    expect(flow.records.get("x")).toMatchObject({
      status: "EXECUTING",
      attempts: 1,
      error: { message: "Refused 1" },
    });
    const { outcome } = await flow.go();
    expect(outcome.kind).toBe("completed");
    expect(flow.count("x")).toBe(3);
    expect(flow.records.get("x")).toMatchObject({ status: "COMPLETED", attempts: 3 });
  });

  test("are counted to the end whatever is lost in between", async () => {
    const flow = new DurableRun(
      graphOf([start, post("x", { failures: 9 }, { retry, onError: "continue" })], "start x"),
    );
    for (const attempts of [1, 2]) await flow.goUntilLost(() => flow.records.get("x")?.attempts === attempts);
    await flow.go();
    expect(flow.count("x")).toBe(3);
    expect(flow.records.get("x")).toMatchObject({
      status: "FAILED",
      attempts: 3,
      error: { message: "Refused 3" },
    });
  });

  test("begin again with the next attempt of the run, where nobody handled the failure", async () => {
    const flow = new DurableRun(
      graphOf([start, post("a"), post("x", { failures: 4 }, { retry })], "start a \n a x"),
    );
    expect((await flow.go()).outcome).toMatchObject({ kind: "failed", isDeliberate: false });
    expect((await flow.go()).outcome.kind).toBe("completed");
    expect([flow.count("a"), flow.count("x")]).toEqual([1, 5]);
    expect(flow.records.get("x")).toMatchObject({ attempts: 2 });
  });

  test("have the same input", async () => {
    const flow = new DurableRun(
      graphOf([start, post("x", { failures: 2, value: "{{ $millis() }}" }, { retry })], "start x"),
    );
    await flow.goUntilLost(() => flow.count("x") === 2);
    await flow.go();
    expect(new Set(flow.sent.map(({ value }) => value))).toEqual(new Set([1_000]));
  });
});

describe("an end", () => {
  test.each([
    ["return", { value: { ok: true } }, { kind: "completed", output: { ok: true } }],
    [
      "fail",
      { message: "No." },
      { kind: "failed", isDeliberate: true, error: { name: "FlowFailed", nodeId: "end" } },
    ],
  ])("by %s aborts what is under way, and nothing new begins", async (type, inputs, expected) => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          post("slow", { value: 7, hangs: true }),
          post("behind"),
          node("ask", "suspend", { message: "Sure?" }),
          node("each", "for-each", { items: [1, 2, 3] }),
          inside("each", post("x", { hangs: true })),
          post("quick"),
          node("end", type, inputs),
        ],
        "start slow \n slow behind \n start ask \n start each \n start quick \n quick end",
      ),
    );
    expect((await flow.go()).outcome).toMatchObject(expected);
    for (const key of ["behind", "x[1]", "x[2]"]) expect(flow.count(key)).toBe(0);
    for (const key of ["slow", "ask", "each"])
      expect(flow.records.get(key)).toMatchObject({ status: "ABORTED", attempts: 1 });
    expect(flow.records.get("slow")).toMatchObject({ input: { value: 7 } });
    expect(flow.records.get("ask")).toMatchObject({ input: { message: "Sure?" } });
  });

  test("by fail inside a loop ends the run, whatever the loop does with failures", async () => {
    const flow = new DurableRun(
      graphOf(
        [
          start,
          node("each", "for-each", { items: [1, 2], onItemError: "continue" }),
          inside("each", node("no", "fail", { message: "No." })),
          post("after"),
        ],
        "start each \n each after",
      ),
    );
    expect((await flow.go()).outcome).toMatchObject({
      kind: "failed",
      error: { message: "No.", nodeId: "no" },
    });
    expect(flow.sent).toEqual([]);
  });

  test("from outside says what became of the nodes under way", async () => {
    const stop = new AbortController();
    const flow = new DurableRun(graphOf([start, post("x", { value: 1, hangs: true })], "start x"));
    const ended = flow.go({ signal: stop.signal, interruption: () => "CANCELED" });
    setTimeout(() => stop.abort(), 5);
    expect((await ended).outcome.kind).toBe("aborted");
    expect(flow.records.get("x")).toMatchObject({ status: "CANCELED", input: { value: 1 } });
  });

  test("of an attempt leaves no effect behind it: inputs that are ready too late are not sent", async () => {
    const flow = new DurableRun(
      graphOf(
        [start, post("x", {}, { credential: "c", timeoutSeconds: 0.02, onError: "continue" })],
        "start x",
      ),
      {
        resolveCredential: async (id) => {
          await new Promise((resolve) => setTimeout(resolve, 60));
          return { id, type: "http-bearer", allowedHosts: [], secret: {} };
        },
      },
    );
    await flow.go();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(flow.sent).toEqual([]);
  });
});
