import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PatchOperation } from "@millrace/contract/compare";
import { diffJson } from "../../src/domain/json-patch.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const diff = (a: unknown, b: unknown) => finishSliced(diffJson(a, b));

/** RFC 6902, as far as the operations that are used go. */
function apply(value: unknown, operations: readonly PatchOperation[]): unknown {
  const holder: Record<string, unknown> = { root: structuredClone(value) };
  for (const operation of operations) {
    const path = ["root", ...operation.path.split("/").slice(1)].map((part) =>
      part.replaceAll("~1", "/").replaceAll("~0", "~"),
    );
    const last = path.pop()!;
    // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
    const target = path.reduce<any>((inside, key) => inside[key], holder);
    if (operation.op === "remove" && Array.isArray(target)) target.splice(Number(last), 1);
    else if (operation.op === "remove") delete target[last];
    else if (operation.op === "add" && Array.isArray(target)) target.splice(Number(last), 0, operation.value);
    else target[last] = operation.value;
  }
  return holder["root"];
}

describe("the difference of two values", () => {
  it("is nothing where only the order of keys differs", () => {
    expect(diff({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual([]);
  });

  it("is a JSON Patch with escaped keys", () => {
    expect(diff({ "a/b": { "~": 1 }, gone: 1 }, { "a/b": { "~": 2 }, here: [] })).toEqual([
      { op: "remove", path: "/gone" },
      { op: "add", path: "/here", value: [] },
      { op: "replace", path: "/a~1b/~0", value: 2 },
    ]);
    expect(diff([1, 2, 3], [1])).toEqual([
      { op: "remove", path: "/2" },
      { op: "remove", path: "/1" },
    ]);
    expect(diff({ a: [] }, { a: {} })).toEqual([{ op: "replace", path: "/a", value: {} }]);
    expect(diff(null, 1)).toEqual([{ op: "replace", path: "", value: 1 }]);
  });

  it("makes one value of the other", () => {
    // A key of this name would be set, not kept, by the applier above.
    const json = fc
      .jsonValue({ maxDepth: 4 })
      .filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(json, json, (a, b) => {
        const patch = diff(a, b)!;
        expect(diff(apply(a, patch), b)).toEqual([]);
      }),
    );
  });

  it("is left out where there are too many places", () => {
    const many = (by: number) => Array.from({ length: 300 }, (_, n) => n + by);
    expect(diff(many(0), many(1_000))).toBeUndefined();
    expect(diff([], many(0))).toBeUndefined();
    expect(diff(many(0), [])).toBeUndefined();
    expect(diff(Object.assign({}, many(0)), {})).toBeUndefined();
    expect(diff({}, Object.assign({}, many(0)))).toBeUndefined();
  });

  it("is left out where its paths would be longer than the values", () => {
    const below = (value: number) => ({ ["k".repeat(50_000)]: { a: value, b: value, c: value, d: value } });
    expect(diff(below(1), below(2))).toBeUndefined();
  });
});
