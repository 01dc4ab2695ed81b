import { describe, expect, it } from "vitest";
import { bareInputs } from "../src/pages/editor/node-types.ts";
import { moveInList, moveInto } from "../src/pages/editor/operations/containers.ts";
import { connect, disconnect, leadingTo } from "../src/pages/editor/operations/edges.ts";
import { insertNode } from "../src/pages/editor/operations/insert.ts";
import { addNode, insertOnEdge, removeNodes } from "../src/pages/editor/operations/nodes.ts";
import { copyNodes, paste, readCopied } from "../src/pages/editor/operations/paste.ts";
import { align, setPositions } from "../src/pages/editor/operations/positions.ts";
import { canRename, renameNode } from "../src/pages/editor/operations/rename-node.ts";
import { noteOf, setAt, setField, setNote, setSetting } from "../src/pages/editor/operations/set-field.ts";
import { edgesOf, flowOf, idsOf, node } from "./support/editor-flows.ts";

const line = flowOf([node("start", "start"), node("a"), node("b")], "start a", "a b");

describe("operations of the editor", () => {
  it("add a node after another one, inside the same container", () => {
    const flow = flowOf([node("each", "for-each"), node("in", "set", { parentId: "each" })]);
    const added = addNode(node("next"), { after: "in", handle: "out" })(flow);
    expect(added.graph.nodes.at(-1)).toEqual({ id: "next", type: "set", parentId: "each" });
    expect(edgesOf(added)).toEqual(["in next"]);
    expect(flow.graph.nodes).toHaveLength(2);
  });

  it("insert a node on an edge, and take it out again", () => {
    const inserted = insertOnEdge("e2", node("m"))(line);
    expect(edgesOf(inserted)).toEqual(["start a", "a m", "m b"]);
    expect(edgesOf(removeNodes(["m"])(inserted))).toEqual(["start a", "a b"]);
  });

  it("insert after a node: what it led to comes after the new one", () => {
    const { id, operation } = insertNode(line, "http-request", { after: "a" });
    expect(id).toBe("http_request");
    expect(edgesOf(operation(line))).toEqual(["start a", "a http_request", "http_request b"]);
    const branch = insertNode(line, "if", { after: "a" });
    expect(edgesOf(branch.operation(line))).toContain("if true b");
    const end = insertNode(line, "return", { after: "a" });
    expect(edgesOf(end.operation(line))).toEqual(["start a", "a b", "a return"]);
  });

  it("insert by the way out that is free, or by the one that is named", () => {
    const flow = flowOf([node("large", "if"), node("yes"), node("no")], "large yes true");
    expect(edgesOf(insertNode(flow, "set", { after: "large" }).operation(flow))).toContain("large false set");
    const named = insertNode(flow, "set", { after: "large", handle: "true" }).operation(flow);
    expect(edgesOf(named)).toEqual(
      ["large set true", "set yes"].map((edge) => edge.replace("set true", "true set")),
    );
  });

  it("remove a container with all that is inside of it", () => {
    const flow = flowOf(
      [
        node("start", "start"),
        node("each", "for-each"),
        node("in", "set", { parentId: "each" }),
        node("end"),
      ],
      "start each",
      "each end done",
    );
    const removed = removeNodes(["each"])(flow);
    expect(idsOf(removed)).toEqual(["start", "end"]);
    expect(edgesOf(removed)).toEqual(["start end"]);
  });

  it("do not guess where a removed branch would have led", () => {
    const flow = flowOf(
      [node("a"), node("if", "if"), node("b"), node("c")],
      "a if",
      "if b true",
      "if c false",
    );
    expect(edgesOf(removeNodes(["if"])(flow))).toEqual([]);
  });

  it("connect once, never to itself and never across a container's wall", () => {
    const flow = flowOf([
      node("a"),
      node("b"),
      node("each", "for-each"),
      node("in", "set", { parentId: "each" }),
    ]);
    const connected = connect("a", "out", "b")(flow);
    expect(edgesOf(connected)).toEqual(["a b"]);
    expect(connect("a", undefined, "b")(connected)).toBe(connected);
    expect(connect("a", "out", "a")(flow)).toBe(flow);
    expect(connect("a", "out", "in")(flow)).toBe(flow);
    expect(edgesOf(disconnect("e1")(connected))).toEqual([]);
    expect([...leadingTo(line.graph.edges, "b")]).toEqual(["b", "a", "start"]);
    expect([...leadingTo(line.graph.edges, "start")]).toEqual(["start"]);
  });

  it("rename a node wherever it is named, and nowhere else", () => {
    const flow = flowOf(
      [
        node("sum", "transform", { data: { inputs: { expression: "nodes.sum_2.value + nodes.old.value" } } }),
        node("old", "for-each"),
        node("in", "set", {
          parentId: "old",
          data: {
            inputs: {
              values: {
                a: "{{ nodes.old.text }} and nodes.old.text",
                b: ["{{ nodes.`old`.x & 'nodes.old' }}", "{{ nodes.older.x }}"],
              },
            },
          },
        }),
      ],
      "sum old",
    );
    const changed = renameNode("old", "new-er", bareInputs)(flow);
    expect(idsOf(changed)).toEqual(["sum", "new-er", "in"]);
    expect(edgesOf(changed)).toEqual(["sum new-er"]);
    expect(changed.graph.nodes[0]!.data!.inputs).toEqual({
      expression: "nodes.sum_2.value + nodes.`new-er`.value",
    });
    expect(changed.graph.nodes[2]).toMatchObject({
      parentId: "new-er",
      data: {
        inputs: {
          values: {
            a: "{{ nodes.`new-er`.text }} and nodes.old.text",
            b: ["{{ nodes.`new-er`.x & 'nodes.old' }}", "{{ nodes.older.x }}"],
          },
        },
      },
    });
    expect(canRename(flow, "old", "sum")).toBe(false);
    expect(canRename(flow, "old", "a b")).toBe(false);
    expect(renameNode("old", "sum", bareInputs)(flow)).toBe(flow);
  });

  it("set a field in its place, and leave nothing empty behind", () => {
    const flow = flowOf([
      node("a", "set", { data: { label: "A", inputs: { values: { x: 1, y: 2 } }, disabled: true } }),
    ]);
    const changed = setField("a", ["data", "inputs", "values", "x"], 3)(flow);
    expect(JSON.stringify(changed.graph.nodes[0]!.data)).toBe(
      '{"label":"A","inputs":{"values":{"x":3,"y":2}},"disabled":true}',
    );
    const emptied = setField("a", ["data", "inputs", "values"], undefined)(flow);
    expect(emptied.graph.nodes[0]!.data).toEqual({ label: "A", disabled: true });
    expect(setField("a", ["data", "label"], "A")(flow)).toBe(flow);
    expect(setAt({ list: [1, 2, 3] }, ["list", 1], undefined)).toEqual({ list: [1, 3] });
    expect(setAt({}, ["cases", 0, "name"], "x")).toEqual({ cases: [{ name: "x" }] });
    expect(setAt({}, ["__proto__", "x"], 1)).toEqual(JSON.parse('{"__proto__":{"x":1}}'));
    expect(setSetting("onFailure", undefined)(setSetting("onFailure", "flow_b")(flow))).toEqual(flow);
  });

  it("keep a note with its node, where a run never looks", () => {
    const noted = setNote("a", "Ask Ada first")(line);
    expect(noted.graph.nodes[1]!.data).toEqual({ ui: { note: "Ask Ada first" } });
    expect(noteOf(noted.graph.nodes[1]!)).toBe("Ask Ada first");
    expect(noteOf(setNote("a", "")(noted).graph.nodes[1]!)).toBe("");
  });

  it("move nodes into a container and out of it; edges across its wall go", () => {
    const flow = flowOf(
      [node("start", "start"), node("each", "for-each"), node("a"), node("b")],
      "start a",
      "a b",
    );
    const moved = moveInto(["a", "b"], "each")(flow);
    expect(moved.graph.nodes.map(({ parentId }) => parentId)).toEqual([undefined, undefined, "each", "each"]);
    expect(edgesOf(moved)).toEqual(["a b"]);
    expect(moveInto(["each"], "each")(flow)).toBe(flow);
    expect(moveInto(["start"], "each")(flow)).toBe(flow);
    expect(moveInto(["a"], undefined)(moved).graph.nodes[2]!.parentId).toBeUndefined();
    const inner = moveInto(["each"], "a")(moveInto(["a"], "each")(flow));
    expect(inner.graph.nodes.find(({ id }) => id === "each")!.parentId).toBeUndefined();
    expect(idsOf(moveInList("b", -1)(flow))).toEqual(["start", "each", "b", "a"]);
  });

  it("copy nodes as JSON and paste them under ids of their own, expressions and all", () => {
    const flow = flowOf(
      [
        node("start", "start"),
        node("a"),
        node("b", "set", { data: { inputs: { values: { x: "{{ nodes.a.x + nodes.start.body }}" } } } }),
      ],
      "start a",
      "a b",
    );
    const text = JSON.stringify(copyNodes(flow, ["start", "a", "b"]));
    const pasted = paste(readCopied(text)!, undefined, bareInputs)(flow);
    expect(idsOf(pasted)).toEqual(["start", "a", "b", "a_2", "b_2"]);
    expect(edgesOf(pasted)).toEqual(["start a", "a b", "a_2 b_2"]);
    expect(pasted.graph.nodes[4]!.data!.inputs).toEqual({
      values: { x: "{{ nodes.a_2.x + nodes.start.body }}" },
    });
    expect(new Set(pasted.graph.edges.map(({ id }) => id)).size).toBe(3);
    for (const other of ["", "{}", "hello", '{"millrace":"nodes","nodes":[1],"edges":[]}'])
      expect(readCopied(other)).toBeUndefined();
  });

  it("place, align and distribute nodes", () => {
    const places = new Map([
      ["a", { x: 10, y: 50 }],
      ["b", { x: 30.4, y: 20 }],
    ]);
    const placed = setPositions(places)(line);
    expect(placed.graph.nodes.map(({ position }) => position)).toEqual([
      undefined,
      { x: 10, y: 50 },
      { x: 30, y: 20 },
    ]);
    const left = align(places, "left")(line);
    expect(left.graph.nodes.slice(1).map(({ position }) => position)).toEqual([
      { x: 10, y: 50 },
      { x: 10, y: 20 },
    ]);
    const column = align(places, "column")(line);
    expect(column.graph.nodes.slice(1).map(({ position }) => position)).toEqual([
      { x: 10, y: 118 },
      { x: 10, y: 20 },
    ]);
  });
});
