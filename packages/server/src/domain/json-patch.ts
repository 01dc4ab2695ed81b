import type { PatchOperation } from "@millrace/contract/compare";
import type { Sliced } from "./sliced.ts";

/** Two values of a node differ; more than this says no more. */
const MAX_OPERATIONS = 200;

/** JSON Patch from one value to the other; empty where they are equal, undefined where they differ in too many places. */
export function* diffJson(a: unknown, b: unknown): Sliced<readonly PatchOperation[] | undefined> {
  const operations: PatchOperation[] = [];
  const pending: { readonly path: string; readonly a: unknown; readonly b: unknown }[] = [{ path: "", a, b }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (operations.length > MAX_OPERATIONS) return undefined;
    if (pending.length % 100 === 0) yield;
    const { path } = next;
    if (Array.isArray(next.a) && Array.isArray(next.b)) {
      const [before, after]: [unknown[], unknown[]] = [next.a, next.b];
      const common = Math.min(before.length, after.length);
      // Behind what both have: taken away from the end, so that no index moves, and added in order.
      for (let at = before.length - 1; at >= common && operations.length <= MAX_OPERATIONS; at -= 1)
        operations.push({ op: "remove", path: `${path}/${at}` });
      for (let at = common; at < after.length && operations.length <= MAX_OPERATIONS; at += 1)
        operations.push({ op: "add", path: `${path}/${at}`, value: after[at] });
      for (let at = 0; at < common; at += 1)
        if (!Object.is(before[at], after[at]))
          pending.push({ path: `${path}/${at}`, a: before[at], b: after[at] });
    } else if (isObject(next.a) && isObject(next.b)) {
      const [before, after] = [next.a, next.b];
      for (const key of Object.keys(before)) {
        const at = `${path}/${escapeKey(key)}`;
        if (!Object.hasOwn(after, key)) operations.push({ op: "remove", path: at });
        else if (!Object.is(before[key], after[key]))
          pending.push({ path: at, a: before[key], b: after[key] });
      }
      for (const key of Object.keys(after))
        if (!Object.hasOwn(before, key))
          operations.push({ op: "add", path: `${path}/${escapeKey(key)}`, value: after[key] });
    } else if (!Object.is(next.a, next.b)) operations.push({ op: "replace", path, value: next.b });
  }
  return operations.length > MAX_OPERATIONS ? undefined : operations;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
