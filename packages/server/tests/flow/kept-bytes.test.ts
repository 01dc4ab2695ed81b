import v8 from "node:v8";
import vm from "node:vm";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { expect, it } from "vitest";
import { assembleFlow } from "../../src/domain/flow/compile.ts";
import { checkFlow } from "../../src/domain/flow/validate.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { chain, node, type TestGraph } from "../support/runs-flows.ts";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;
const COPIES = 5;

const valuesOf = (count: number, value: (at: number) => unknown) =>
  node("make", "set", {
    values: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value(at)])),
  });

/** Each takes memory in another way. */
const SHAPES: Record<string, () => TestGraph> = {
  "many short paths": () => chain(valuesOf(3_000, (at) => `{{ nodes.a${at}.x }}`)),
  "long lists of numbers": () => chain(valuesOf(20, (at) => `{{ [${"1,".repeat(2_000)}${at}] }}`)),
  "lists of names": () => chain(valuesOf(10, (at) => `{{ [${"a,".repeat(2_000)}${at}] }}`)),
  filters: () => chain(valuesOf(40, (at) => `{{ [${"a[0],".repeat(250)}${at}] }}`)),
  conditions: () => chain(valuesOf(40, (at) => `{{ [${"a?1:2,".repeat(180)}${at}] }}`)),
  "one expression in many places": () => chain(valuesOf(5_000, () => "{{ $random() }}")),
  "texts of many parts": () => chain(valuesOf(20, () => "{{ a }}b".repeat(1_000))),
  "one expression in a long list": () =>
    chain(valuesOf(1, () => [...Array.from({ length: 50_000 }, () => [1]), "{{ a }}"])),
  "plain values": () => chain(valuesOf(1, () => Array.from({ length: 50_000 }, () => [1]))),
  "many nodes": () =>
    chain(...Array.from({ length: 500 }, (_, at) => node(`n${at}`, "http-request", { url: "http://a/" }))),
};

it.each(Object.keys(SHAPES))("a flow of %s takes about what is said of it", (name) => {
  const texts = Array.from({ length: COPIES }, () => JSON.stringify(SHAPES[name]!()));
  compile(texts[0]!);
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = texts.map(compile);
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / COPIES;
  const { said } = kept[0]!;
  expect(said / bytes).toBeGreaterThan(0.8);
  expect(said / bytes).toBeLessThan(4);
});

function compile(text: string) {
  const graph = JSON.parse(text) as FlowGraph;
  const checked = finishSliced(checkFlow(graph, nodeTypes));
  expect(checked.errors).toEqual([]);
  const compiled = finishSliced(assembleFlow(graph, nodeTypes, checked));
  return { said: compiled.bytes, checked, compiled };
}
