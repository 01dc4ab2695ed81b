import { expect, it } from "vitest";
import { isInScope, OUTSIDE, scopeOfContainer } from "../../src/domain/node-scope.ts";

const children = (id: string) => ({ each: ["fetch", "inner"], inner: ["leaf"] })[id];

it("nodes outside of containers have no round in their key", () => {
  expect(["start", "fetch[3]", "inner[2].leaf[0]"].filter((key) => isInScope(OUTSIDE, key))).toEqual([
    "start",
  ]);
});

it("a container has its own nodes, whatever other containers of the flow hold", () => {
  const scope = scopeOfContainer("each", children)!;
  const keys = ["each", "fetch[3]", "inner[0]", "other[3]", "inner[0].leaf[1]", "fetch"];
  expect(keys.filter((key) => isInScope(scope, key))).toEqual(["fetch[3]", "inner[0]"]);
});

it("a container inside another one has those of its own round", () => {
  const scope = scopeOfContainer("inner[2]", children)!;
  const keys = ["inner[2].leaf[0]", "inner[1].leaf[0]", "inner[2].leaf[0].deep[1]", "leaf[0]"];
  expect(keys.filter((key) => isInScope(scope, key))).toEqual(["inner[2].leaf[0]"]);
});

it("what is no container has no scope", () => {
  expect(["fetch", "[]", "", "constructor[x]"].map((key) => scopeOfContainer(key, children))).toEqual(
    Array(4).fill(undefined),
  );
});
