import { setImmediate as nextLoop } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import { eventLoop } from "../../src/lifecycle/event-loop.ts";
import { graphOf, node, run } from "./support/test-flow.ts";

/** Node.js ends a process for each of them. */
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => process.off("unhandledRejection", note));

test("a run that is stopped while a node waits for its turn to evaluate an expression only stops", async () => {
  const sandbox = createSandbox();
  const costly = `{{ [${"1,".repeat(2_000)}1] }}`;
  const graph = graphOf([node("start", "start"), node("a", "set", { values: { costly } })], "start a");
  const stop = new AbortController();
  // After work that took a whole slice they are short: the expression takes more than one.
  await new Promise<void>((resolve) => eventLoop.queue("org_busy", () => resolve(useSlice())));
  const { outcome } = await run(graph, {
    services: { now: () => 0, sandbox } as never,
    signal: stop.signal,
    onNode: ({ nodeId }) => nodeId === "a" && queueMicrotask(() => stop.abort()),
  });
  await nextLoop();
  await sandbox.close();
  expect(outcome.kind).toBe("aborted");
  expect(unhandled).toEqual([]);
});

function useSlice(): void {
  while (!eventLoop.isSliceOver());
}

test("an attempt whose time was over before it began, and that fails at once, fails the node alone", async () => {
  const graph = graphOf(
    [node("start", "start"), node("a", "set", { values: 1 }, { timeoutSeconds: 1 })],
    "start a",
  );
  let clockMs = 0;
  const { outcome } = await run(graph, { services: { now: () => (clockMs += 5_000) } as never });
  await nextLoop();
  expect(outcome.kind).toBe("failed");
  expect(unhandled).toEqual([]);
});
