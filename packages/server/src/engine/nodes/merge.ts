import { z } from "zod";
import { setOwn } from "../../domain/own-field.ts";
import type { Sliced } from "../../domain/sliced.ts";
import { defineNode, inSlices, NodeError } from "./node-type.ts";
import { listOf, toList } from "./support/input-schemas.ts";
import { identityOf, isObject, readPath } from "./support/values.ts";

const maxZipped = 200_000;
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
    sources: listOf()
      .optional()
      .describe(
        "What to join, in order, usually outputs of nodes. An absent source (`null`) is left out; where a list is wanted, a single value is a list of one.",
      ),
    key: z
      .string()
      .max(256)
      .nullish()
      .describe("`byKey`: path of the value that belongs together, default `id`."),
  }),
  effect: false,
  output: "`{value}`, an object for `combine` and a list otherwise.",
  example: { inputs: { mode: "combine", sources: ["{{ nodes.customer.body }}", "{{ nodes.score }}"] } },
  execute: inSlices(function* ({ mode, sources, key }) {
    const present = (sources ?? []).filter((source) => source !== null && source !== undefined);
    return { kind: "output", output: { value: yield* MODES[mode ?? "combine"](present, key || "id") } };
  }),
});

function* combineObjects(sources: readonly unknown[]): Sliced<Record<string, unknown>> {
  const combined: Record<string, unknown> = {};
  for (const [index, source] of sources.entries()) {
    if (!isObject(source)) throw wrongSource(index);
    for (const [key, value] of Object.entries(source)) {
      setOwn(combined, key, value);
      yield;
    }
  }
  return combined;
}

function* appendLists(sources: readonly unknown[]): Sliced<unknown[]> {
  const joined: unknown[] = [];
  for (const source of sources) {
    for (const item of toList(source)) joined.push(item);
    yield;
  }
  return joined;
}

function* zipLists(sources: readonly unknown[]): Sliced<unknown[]> {
  const lists = sources.map(toList);
  const length = lists.reduce((longest, list) => Math.max(longest, list.length), 0);
  const zipped: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    zipped.push(lists.map((list) => list[index] ?? null));
    if (zipped.length * lists.length > maxZipped)
      throw new NodeError("ListTooLong", `The zipped list has more than ${maxZipped} values.`);
    yield;
  }
  return zipped;
}

function* joinByKey(sources: readonly unknown[], key: string): Sliced<unknown[]> {
  const joined = new Map<string, Record<string, unknown>>();
  const path = key.split(".");
  for (const [index, source] of sources.entries()) {
    for (const item of toList(source)) {
      const value = readPath(item, path);
      if (!isObject(item) || value === undefined || value === null) {
        throw new NodeError("MergeKeyMissing", `Source ${index + 1} has an item without \`${key}\`.`);
      }
      const identity = yield* identityOf(value);
      const known = joined.get(identity);
      // Into the object made for it: copying what is known again for each item would take the square of their number.
      if (known) for (const [name, part] of Object.entries(item)) setOwn(known, name, part);
      else joined.set(identity, { ...item });
      yield;
    }
  }
  return [...joined.values()];
}

function wrongSource(index: number): NodeError {
  return new NodeError("MergeSourceInvalid", `Source ${index + 1} is not an object.`);
}
