import { expect, test } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { compileExpression } from "../../src/domain/flow/expressions/compiled-expression.ts";
import { catalogue, graphOf, inside, node } from "./support.ts";

test.each([
  ["nodes.a.value + nodes.`b c`.x", false],
  ["data.x", false],
  ["nodes.a[0].nodes", true],
  ["$keys(nodes)", true],
  ["nodes[a.x = 1].b", true],
  ["nodes.(a)", true],
  ["nodes.*", true],
  ["$.nodes.a", true],
  ["$lookup(nodes, 'a')", true],
  ["(nodes).a", true],
])("%s may read all nodes: %s", (source, expected) => {
  expect(compileExpression(source).readsAllNodes).toBe(expected);
});

const set = (id: string, value?: string, data: object = {}) => node(id, "set", { values: { value } }, data);
const asideOf = (nodes: ReturnType<typeof node>[], edges: string) =>
  compileFlow(graphOf([node("s", "start"), ...nodes], edges), catalogue)
    .nodes.values()
    .filter(({ readsAside }) => readsAside)
    .map(({ id }) => id)
    .toArray();

test.each([
  ["one before", "s a,a b,b c", "{{ nodes.a }}", []],
  ["one behind", "s c,c a,a b", "{{ nodes.a }}", []],
  ["itself", "s a,a b,b c", "{{ nodes.c }}", []],
  ["one that does not exist", "s a,s b,s c", "{{ nodes.other }}", []],
  ["one beside", "s a,s b,b c", "{{ nodes.a }}", ["c"]],
  ["one beside that both lead to the same", "s a,s b,a c,b c", "{{ nodes.a }}", []],
  ["all, in a chain", "s a,a b,b c", "{{ $keys(nodes) }}", []],
  ["all, with one beside", "s a,s b,b c", "{{ $keys(nodes) }}", ["c"]],
  ["nothing", "s a,s b,b c", "{{ data.x }}", []],
])("a node that reads %s", (_name, edges, value, expected) => {
  expect(asideOf([set("a"), set("b"), set("c", value)], edges)).toEqual(expected);
});

test("behind a node that joins any only what leads to all its ways is sure", () => {
  const nodes = [
    set("first"),
    set("a"),
    set("b"),
    set("j", "{{ nodes.first }}", { join: "any" }),
    set("loser", "{{ nodes.a }}"),
    set("sure", "{{ nodes.first }}"),
  ];
  expect(asideOf(nodes, "s first,first a,first b,a j,b j,j loser,j sure")).toEqual(["loser"]);
});

test("a container reads what the nodes inside it read", () => {
  const nodes = [
    set("a"),
    node("each", "for-each", { items: [1] }),
    inside("each", set("in", "{{ nodes.a }}")),
    inside("each", set("in2", "{{ nodes.in }}")),
  ];
  expect(asideOf(nodes, "s a,s each,in in2")).toEqual(["each"]);
  expect(asideOf(nodes, "s a,a each")).toEqual(["in2"]);
});
