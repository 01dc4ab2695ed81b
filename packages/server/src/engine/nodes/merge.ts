import { z } from "zod";
import { defineNode, NodeError } from "./node-type.ts";
import { identityOf, isObject, readPath } from "./support/values.ts";

const MODES = { combine: combineObjects, append: appendLists, zip: zipLists, byKey: joinByKey };

export const merge = defineNode({
  type: "merge",
  summary: "Brings branches together and joins their data.",
  inputs: z.object({
    mode: z
      .enum(["combine", "append", "zip", "byKey"])
      .nullish()
      .describe(
        "`combine` (default): one object, later keys win. `append`: one list. `zip`: the first items together, the second … `byKey`: objects with the same `key` become one.",
      ),
    sources: z
      .array(z.unknown())
      .nullish()
      .describe("What to join, in order, usually outputs of nodes. An absent source (`null`) is left out."),
    key: z.string().nullish().describe("`byKey`: path of the value that belongs together, default `id`."),
  }),
  effect: false,
  output: "`{value}`, an object for `combine` and a list otherwise.",
  example: { inputs: { mode: "combine", sources: ["{{ nodes.customer.body }}", "{{ nodes.score }}"] } },
  execute({ mode, sources, key }) {
    const present = (sources ?? []).filter((source) => source !== null && source !== undefined);
    return { kind: "output", output: { value: MODES[mode ?? "combine"](present, key || "id") } };
  },
});

function combineObjects(sources: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    sources.flatMap((source, index) => {
      if (!isObject(source)) throw wrongSource(index, "an object");
      return Object.entries(source);
    }),
  );
}

function appendLists(sources: readonly unknown[]): unknown[] {
  return sources.flat(1);
}

function zipLists(sources: readonly unknown[]): unknown[] {
  const lists = sources.map(asList);
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
}

function joinByKey(sources: readonly unknown[], key: string): unknown[] {
  const joined = new Map<string, Record<string, unknown>>();
  for (const [index, source] of sources.entries()) {
    for (const item of asList(source, index)) {
      const value = readPath(item, key);
      if (!isObject(item) || value === undefined || value === null) {
        throw new NodeError("MergeKeyMissing", `Source ${index + 1} has an item without \`${key}\`.`);
      }
      const identity = identityOf(value);
      joined.set(identity, { ...joined.get(identity), ...item });
    }
  }
  return [...joined.values()];
}

function asList(source: unknown, index: number): readonly unknown[] {
  if (!Array.isArray(source)) throw wrongSource(index, "a list");
  return source;
}

function wrongSource(index: number, expected: string): NodeError {
  return new NodeError("MergeSourceInvalid", `Source ${index + 1} is not ${expected}.`);
}
