import { describe, expect, test } from "vitest";
import { graphOf, node, run, inside } from "./support/test-flow.ts";

const start = node("start", "start");
const fast = { maxAttempts: 3, backoffSeconds: 0 };

function flaky(times: number, data: object = {}) {
  return node("x", "flaky", { times }, data);
}

describe("a node that fails", () => {
  test("fails the run with its own words", async () => {
    const { outcome } = await run(
      graphOf([start, flaky(1), node("y", "set", { values: {} })], "start x \n x y"),
    );
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { name: "Broken", message: "It broke.", nodeId: "x" },
    });
    expect(outcome.records.at(-1)).toMatchObject({
      nodeKey: "x",
      status: "FAILED",
      attempts: 1,
      handle: undefined,
    });
  });

  test("is tried again as often as its retry says, and its log is kept", async () => {
    const { outcome } = await run(graphOf([start, flaky(2, { retry: fast })], "start x"));
    expect(outcome).toMatchObject({ kind: "completed", output: { x: { failed: 2 } } });
    expect(outcome.records.at(-1)).toMatchObject({
      attempts: 3,
      log: ["Attempt 1", "Attempt 2", "Attempt 3"],
    });
    const failed = await run(graphOf([start, flaky(3, { retry: fast })], "start x"));
    expect(failed.outcome).toMatchObject({ kind: "failed" });
    expect(failed.outcome.records.at(-1)).toMatchObject({ attempts: 3 });
  });

  test("waits between its attempts, and longer each time", async () => {
    // Doubled from 20 ms, the fifth attempt comes after 300 ms; with equal waits it would come after 80.
    const before = node("before", "effect", { delayMs: 10 });
    const late = node("late", "effect", { delayMs: 290 });
    const x = flaky(4, { retry: { maxAttempts: 5, backoffSeconds: 0.02 } });
    const { notes } = await run(graphOf([start, before, late, x], "start before \n start late \n start x"));
    // The effects' timers are set first, so they fire first however slow the machine is.
    expect(notes.indexOf("x attempt 2")).toBeGreaterThan(notes.indexOf("before done"));
    expect(notes.indexOf("x attempt 5")).toBeGreaterThan(notes.indexOf("late done"));
    expect(notes).toHaveLength(7);
  });

  test("lets the flow go on with onError continue", async () => {
    const graph = graphOf(
      [
        start,
        flaky(1, { onError: "continue" }),
        node("y", "set", { values: { why: "{{ nodes.x.error.message }}" } }),
      ],
      "start x \n x y",
    );
    const { outcome } = await run(graph);
    expect(outcome).toMatchObject({ kind: "completed", output: { y: { why: "It broke." } } });
    expect(outcome.records[1]).toMatchObject({ status: "FAILED", handle: "out", error: { name: "Broken" } });
  });

  test("leaves by the handle error with onError branch, and only then", async () => {
    const graph = (times: number) =>
      graphOf(
        [
          start,
          flaky(times, { onError: "branch" }),
          node("ok", "set", { values: {} }),
          node("bad", "set", { values: { why: "{{ nodes.x.error.name }}" } }),
        ],
        "start x \n x ok \n x:error bad",
      );
    expect((await run(graph(1))).outcome).toMatchObject({ output: { bad: { why: "Broken" } } });
    expect((await run(graph(0))).began).toEqual(["start", "x", "ok"]);
  });

  test("is stopped when it takes too long, and told so", async () => {
    const graph = graphOf([start, node("x", "hang", {}, { timeoutSeconds: 0.02 })], "start x");
    const { outcome } = await run(graph);
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { name: "NodeTimeout", message: "The node took longer than 0.02 seconds.", nodeId: "x" },
    });
  });

  test("has a timeout for each attempt", async () => {
    const graph = graphOf([start, node("x", "hang", {}, { timeoutSeconds: 0.01, retry: fast })], "start x");
    const { outcome, notes } = await run(graph);
    expect(outcome.records.at(-1)).toMatchObject({ attempts: 3, error: { name: "NodeTimeout" } });
    expect(notes).toEqual(["x aborted", "x aborted", "x aborted"]);
  });

  test("aborts the branches beside it", async () => {
    const graph = graphOf(
      [
        start,
        node("hang", "hang"),
        node("after", "effect"),
        node("slow", "effect", { delayMs: 1 }),
        flaky(1),
      ],
      "start hang \n hang after \n start slow \n slow x",
    );
    const { outcome, notes, began } = await run(graph);
    expect(outcome).toMatchObject({ kind: "failed", error: { nodeId: "x" } });
    expect(notes).toEqual(["slow done", "x attempt 1", "hang aborted"]);
    expect(began).not.toContain("after");
  });

  test("never shows an error that was not written for the author", async () => {
    const graph = graphOf([start, node("x", "effect", {}, { credential: "c" })], "start x");
    const { outcome } = await run(graph, {
      resolveCredential: async () => {
        throw new Error("connect to 10.0.0.3 with password hunter2 failed");
      },
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { name: "NodeFailed", message: "Node failed", nodeId: "x" },
    });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
  });
});

describe("inputs", () => {
  test("of the wrong type are a clear error, which is not tried again", async () => {
    const graph = graphOf([start, node("x", "flaky", { times: "{{ data.n }}" }, { retry: fast })], "start x");
    const { outcome } = await run(graph, { data: { n: "two" } });
    expect(outcome).toMatchObject({
      error: { name: "InvalidInput", message: expect.stringMatching(/^The input "times" is not valid: /) },
    });
    expect(outcome.records[1]).toMatchObject({ attempts: 1, input: { times: "two" } });
  });

  test("with an expression that fails say which one", async () => {
    const graph = graphOf(
      [start, node("x", "set", { values: { a: "{{ data.n + 1 }}" } }, { retry: fast })],
      "start x",
    );
    const { outcome } = await run(graph, { data: { n: "two" } });
    expect(outcome).toMatchObject({
      error: {
        name: "ExpressionError",
        message: 'The expression failed: input "values": the left side of + is not a number',
        nodeId: "x",
      },
    });
  });

  test("that are missing are null where the type knows null", async () => {
    const graph = graphOf([start, node("i", "if", { condition: "{{ data.amount > 100 }}" })], "start i");
    expect((await run(graph)).outcome).toMatchObject({ output: { i: { result: false } } });
  });

  test("that are null count as absent where the type does not know null", async () => {
    const graph = graphOf([start, node("x", "flaky", { times: 0, message: "{{ data.none }}" })], "start x");
    expect((await run(graph, { data: { none: null } })).outcome.kind).toBe("completed");
  });
});

describe("limits", () => {
  const big = "x".repeat(3_000_000);

  test("inputs of more than 5 MB together fail the node, before anything is made of them", async () => {
    const values = { a: "{{ data.big }}", b: "{{ data.big }}" };
    const { outcome } = await run(graphOf([start, node("x", "set", { values })], "start x"), {
      data: { big },
    });
    expect(outcome).toMatchObject({ error: { name: "InputTooLarge", nodeId: "x" } });
    expect(outcome.records.find(({ nodeId }) => nodeId === "x")?.input).toBeUndefined();
  });

  test("an output of more than 5 MB fails the node", async () => {
    const graph = graphOf(
      [
        start,
        node("l", "for-each", { items: [1, 2] }),
        inside("l", node("x", "set", { values: { a: "{{ data.big }}" } })),
      ],
      "start l",
    );
    expect((await run(graph, { data: { big } })).outcome).toMatchObject({
      error: { name: "OutputTooLarge", nodeId: "l" },
    });
  });

  test("a value that nests deeper with every round of a loop fails the node, not the process", async () => {
    const graph = graphOf(
      [
        start,
        node("l", "while", { condition: true, maxIterations: 10_000 }),
        inside("l", node("x", "set", { values: { inner: "{{ item }}" } })),
      ],
      "start l",
    );
    expect((await run(graph)).outcome).toMatchObject({ error: { name: "InputTooDeep", nodeId: "x" } });
  });

  test("an output of the run of more than 10 MB fails the run", async () => {
    const value = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, "{{ data.big }}"]));
    const returned = graphOf([start, node("r", "return", { value })], "start r");
    expect((await run(returned, { data: { big } })).outcome).toMatchObject({
      error: { name: "OutputTooLarge", nodeId: "r" },
    });
    const lasts = ["a", "b", "c", "d"].map((id) => node(id, "set", { values: { x: "{{ data.big }}" } }));
    const collected = graphOf([start, ...lasts], lasts.map(({ id }) => `start ${id}`).join("\n"));
    expect((await run(collected, { data: { big } })).outcome).toMatchObject({
      error: { name: "OutputTooLarge" },
    });
  });

  test("inputs and outputs of more than 100 MB together fail the run", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const nodes = ids.map((id) => node(id, "set", { values: { x: "{{ data.big }}" } }));
    const edges = ids.map((id, index) => (index === 0 ? `start ${id}` : `n${index - 1} ${id}`)).join("\n");
    const { outcome } = await run(graphOf([start, ...nodes], edges), { data: { big } });
    expect(outcome).toMatchObject({ kind: "failed", error: { name: "RunTooLarge", nodeId: "n16" } });
  });

  test("a log keeps 100 lines of 1 KB", async () => {
    const { NodeExecution } = await import("../../src/engine/flow-runner/node-execution.ts");
    const place = {
      nodeKey: "x",
      variables: {},
      memory: { add: () => {} },
      nowMs: 0,
      isFailureHandled: false,
      joinedFrom: undefined,
    };
    const execution = new NodeExecution({ moment: () => 0 } as never, {} as never, place);
    for (let line = 0; line < 150; line += 1) execution.log("y".repeat(2_000));
    expect(execution.lines).toHaveLength(100);
    expect(execution.lines[0]).toHaveLength(1_024);
  });
});
