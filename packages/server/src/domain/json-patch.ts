import type { PatchOperation } from "@millrace/contract/compare";
import type { Sliced } from "./sliced.ts";

/** Two values of a node differ; more than this says no more. */
const MAX_OPERATIONS = 200;
/** Nor do paths that are longer, all of them together. */
const MAX_PATH_LETTERS = 200_000;

/** JSON Patch from one value to the other; empty where they are equal, undefined where they differ in too many places. */
export function* diffJson(a: unknown, b: unknown): Sliced<readonly PatchOperation[] | undefined> {
  const patch = new Patch();
  const pending: { readonly path: string; readonly a: unknown; readonly b: unknown }[] = [{ path: "", a, b }];
  for (let next = pending.pop(); next !== undefined && !patch.isTooLong; next = pending.pop()) {
    if (pending.length % 100 === 0) yield;
    const { path } = next;
    if (Array.isArray(next.a) && Array.isArray(next.b)) {
      const [before, after]: [unknown[], unknown[]] = [next.a, next.b];
      const common = Math.min(before.length, after.length);
      // Behind what both have: taken away from the end, so that no index moves, and added in order.
      for (let at = before.length - 1; at >= common && !patch.isTooLong; at -= 1)
        patch.add({ op: "remove", path: `${path}/${at}` });
      for (let at = common; at < after.length && !patch.isTooLong; at += 1)
        patch.add({ op: "add", path: `${path}/${at}`, value: after[at] });
      for (let at = 0; at < common; at += 1)
        if (!Object.is(before[at], after[at]))
          pending.push({ path: `${path}/${at}`, a: before[at], b: after[at] });
    } else if (isObject(next.a) && isObject(next.b)) {
      const [before, after] = [next.a, next.b];
      for (const key of Object.keys(before)) {
        if (patch.isTooLong) break;
        const at = `${path}/${escapeKey(key)}`;
        if (!Object.hasOwn(after, key)) patch.add({ op: "remove", path: at });
        else if (!Object.is(before[key], after[key]))
          pending.push({ path: at, a: before[key], b: after[key] });
      }
      for (const key of Object.keys(after)) {
        if (patch.isTooLong) break;
        if (!Object.hasOwn(before, key))
          patch.add({ op: "add", path: `${path}/${escapeKey(key)}`, value: after[key] });
      }
    } else if (!Object.is(next.a, next.b)) patch.add({ op: "replace", path, value: next.b });
  }
  return patch.isTooLong ? undefined : patch.operations;
}

class Patch {
  readonly operations: PatchOperation[] = [];
  #letters = 0;

  get isTooLong(): boolean {
    return this.operations.length > MAX_OPERATIONS || this.#letters > MAX_PATH_LETTERS;
  }

  add(operation: PatchOperation): void {
    this.operations.push(operation);
    this.#letters += operation.path.length;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
