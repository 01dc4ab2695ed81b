import type { FlowGraph } from "@millrace/contract/documents/graph";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { NodeRecord, RunOutcome } from "../../src/engine/flow-runner/run-types.ts";
import { graphOf, node, run } from "./support/test-flow.ts";

const types = ["set", "if", "effect"] as const;

/** Edges lead from lower to higher numbers; every output depends on all that come before it, so that a lost one would show. */
const randomFlow = fc
  .record({
    kinds: fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 9 }),
    edges: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean()), { minLength: 3, maxLength: 25 }),
    conditions: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  })
  .map(({ kinds, edges, conditions }): FlowGraph => {
    const all = ["start", ...kinds];
    const pairs = edges.filter(([from, to]) => from < to && to < all.length);
    const ancestors = all.map(() => new Set<number>());
    for (const [from, to] of pairs.toSorted((a, b) => a[1] - b[1])) {
      for (const id of [from, ...(ancestors[from] ?? [])]) ancestors[to]?.add(id);
    }
    const nodes = all.map((type, index) => {
      const before = [...(ancestors[index] ?? [])].map((other) => `{{ nodes.n${other}.value }}`).join("-");
      if (type === "start") return node("n0", "start", { value: "s" });
      if (type === "set") return node(`n${index}`, "set", { values: { value: `n${index}(${before})` } });
      if (type === "if") return node(`n${index}`, "if", { condition: conditions[index] });
      return node(`n${index}`, "effect", { value: `n${index}(${before})` });
    });
    const lines = pairs.map(
      ([from, to, way]) => `n${from}${all[from] === "if" ? `:${String(way)}` : ""} n${to}`,
    );
    return graphOf(nodes, [...new Set(lines)].join("\n"));
  });

function outputOf(outcome: RunOutcome): unknown {
  return outcome.kind === "completed" ? outcome.output : outcome;
}

test("a run never executes a node twice, and always ends", async () => {
  await fc.assert(
    fc.asyncProperty(randomFlow, async (graph) => {
      const { began, outcome } = await run(graph);
      expect(outcome.kind).toBe("completed");
      expect(new Set(began).size).toBe(began.length);
    }),
    { numRuns: 300 },
  );
});

test("a run that is lost anywhere and resumed ends as if nothing had happened, and repeats no effect that was saved", async () => {
  await fc.assert(
    fc.asyncProperty(randomFlow, fc.nat(3), async (graph, savesBeforeLoss) => {
      const whole = await run(graph);
      const restored = new Map<string, NodeRecord>();
      let saves = 0;
      await run(graph, {
        checkpoints: {
          restored: new Map(),
          save: async (records) => {
            if (saves >= savesBeforeLoss) throw new Error("lost");
            saves += 1;
            for (const record of records) restored.set(record.nodeKey, structuredClone(record));
          },
        },
      }).catch((error: unknown) => expect(error).toMatchObject({ message: "lost" }));
      const resumed = await run(graph, { restored });
      expect(outputOf(resumed.outcome)).toEqual(outputOf(whole.outcome));
      expect(resumed.began.filter((key) => restored.has(key))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
