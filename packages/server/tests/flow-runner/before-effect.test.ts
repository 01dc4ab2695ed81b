import { expect, test } from "vitest";
import { graphOf, node, run } from "./support/test-flow.ts";

const graph = graphOf(
  [{ id: "start", type: "start", data: {} }, node("pure", "set", { values: {} }), node("x", "effect")],
  "start pure \n pure x",
);

test("an effect begins only when it is known that the run is still this process's", async () => {
  const known = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const beforeEffect = () => {
    asked.resolve();
    return known.promise;
  };
  const running = run(graph, { beforeEffect });
  await asked.promise;
  const stopping = new AbortController();
  const stopped = run(graph, { beforeEffect, signal: stopping.signal });
  stopping.abort();
  known.resolve();
  expect((await running).effects).toEqual(["x"]);
  // Canceled meanwhile: nothing of it begins.
  expect((await stopped).effects).toEqual([]);
});

test("an effect that may not begin yet does not, whatever else goes on", async () => {
  const stopping = new AbortController();
  const { effects } = await run(graph, {
    beforeEffect: () => new Promise(() => {}),
    signal: stopping.signal,
    onNode: ({ nodeKey, status }) => {
      // Long after it would have been executed, however slow the machine is: that is the earlier timer.
      if (nodeKey === "x" && status === "EXECUTING") setTimeout(() => stopping.abort(), 50);
    },
  });
  expect(effects).toEqual([]);
});
