import { setImmediate as nextLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineNode } from "../../src/engine/nodes/node-type.ts";
import { start } from "../../src/engine/nodes/start.ts";
import { graphOf, node, run, type TestOptions } from "./support/test-flow.ts";

const MANY = 1_000;

/** Nodes that call somebody who never answers. */
function calls(options: TestOptions, data: object = {}) {
  const counts = { begun: 0, stopped: 0 };
  const call = defineNode({
    type: "call",
    summary: "For tests.",
    output: "None.",
    example: {},
    effect: true,
    inputs: z.object({}),
    execute: (_inputs, { signal }) => {
      counts.begun += 1;
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          counts.stopped += 1;
          reject(signal.reason as Error);
        }),
      );
    },
  });
  const nodes = Array.from({ length: MANY }, (_, at) => node(`n${at}`, "call", {}, data));
  const edges = nodes.map(({ id }) => `start ${id}`).join("\n");
  const nodeTypes = new Map([start, call].map((type) => [type.type, type]));
  const ended = run(graphOf([node("start", "start"), ...nodes], edges), { nodeTypes, ...options });
  return { counts, ended };
}

/** The most that a turn of the event loop added, until there were so many. */
async function largestStep(count: () => number, until: number): Promise<number> {
  let largest = 0;
  for (let before = count(); before < until;) {
    await nextLoop();
    const after = count();
    largest = Math.max(largest, after - before);
    before = after;
  }
  return largest;
}

test("calls that waited for the same begin in several turns", async () => {
  const free = Promise.withResolvers<void>();
  const stop = new AbortController();
  const { counts, ended } = calls({ beforeEffect: () => free.promise, signal: stop.signal });
  await nextLoop();
  expect(counts.begun).toBe(0);
  free.resolve();
  const begun = await largestStep(() => counts.begun, MANY);
  // 20 ms, of which each is taken for a tenth.
  expect(begun).toBeLessThanOrEqual(201);
  stop.abort();
  await ended;
  await largestStep(() => counts.stopped, MANY);
});

test("calls of a run that ends are given up in several turns, and the run need not wait for that", async () => {
  const stop = new AbortController();
  const { counts, ended } = calls({ signal: stop.signal });
  await largestStep(() => counts.begun, MANY);
  stop.abort();
  const { outcome } = await ended;
  expect(outcome.kind).toBe("aborted");
  expect(counts.stopped).toBeLessThan(MANY);
  const stopped = await largestStep(() => counts.stopped, MANY);
  // 20 ms, of which each is taken for 0.3.
  expect(stopped).toBeLessThanOrEqual(68);
});

test("calls whose time is over are given up in several turns", async () => {
  // All at the same moment, however slowly they began.
  const over = Promise.withResolvers<void>();
  const time = { sleepUntil: () => over.promise, pass: () => false };
  const { counts, ended } = calls({ time }, { timeoutSeconds: 1 });
  await largestStep(() => counts.begun, MANY);
  over.resolve();
  const stopped = await largestStep(() => counts.stopped, MANY);
  // Of the slice that was under way already, and of the next.
  expect(stopped).toBeLessThanOrEqual(2 * 68);
  expect((await ended).outcome).toMatchObject({ kind: "failed", error: { name: "NodeTimeout" } });
});
