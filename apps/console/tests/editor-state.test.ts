import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { readText } from "../src/pages/editor/document.ts";
import type { Flow, FlowNode } from "../src/pages/editor/flow.ts";
import { addNode, removeNodes } from "../src/pages/editor/operations/nodes.ts";
import { setField } from "../src/pages/editor/operations/set-field.ts";
import { rewriteText, writeText } from "../src/pages/editor/rewrite.ts";
import { createEditor, textOf } from "../src/pages/editor/store.ts";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));

/** Every flow of the examples, as its own text. */
const exampleFlows = readdirSync(examples, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => {
    const text = readFileSync(`${examples}/${name}`, "utf8");
    return parseAllDocuments(text)
      .filter((document) => document.get("kind") === "Flow")
      .map((document) => {
        const [from, , to] = document.range!;
        return { name: `${name} ${String(document.get("id"))}`, text: text.slice(from, to) };
      });
  });

function read(text: string): Flow {
  const { flow, faults } = readText(text);
  if (faults.length > 0) expect(faults).toEqual([]);
  return flow!;
}

const comments = (text: string) => [...text.matchAll(/(?<=^|\s)#.*$/gm)].map(([comment]) => comment.trim());
const scratch: FlowNode = { id: "scratch_node", type: "set", data: { inputs: { values: { n: 1 } } } };

describe("a document in the editor", () => {
  it("has examples to be tested with", () => expect(exampleFlows.length).toBeGreaterThan(40));

  it.each(exampleFlows)("comes back from the editor as it was: $name", ({ text }) => {
    const flow = read(text);
    const { graph } = flow;
    expect(rewriteText(text, structuredClone(flow))).toBe(text);
    expect(JSON.stringify(read(writeText(flow)))).toBe(JSON.stringify(flow));

    const editor = createEditor({ flowId: "flow_x", flow, revision: 1 });
    editor.getState().type(text);
    editor.getState().change(addNode(scratch, { after: graph.nodes[0]!.id }));
    const added = textOf(editor.getState());
    expect(JSON.stringify(read(added))).toBe(JSON.stringify(editor.getState().flow));
    expect(comments(added)).toEqual(comments(text));
    editor.getState().change(removeNodes([scratch.id]));
    const removed = textOf(editor.getState());
    expect(JSON.stringify(read(removed).graph.nodes)).toBe(JSON.stringify(graph.nodes));
    expect(comments(removed)).toEqual(comments(text));
    editor.getState().undo();
    editor.getState().undo();
    expect(textOf(editor.getState())).toBe(text);
  });

  it("keeps comments, order and quotes of everything that an operation does not touch", () => {
    const text = `# What it is for.
graph: # the graph
  nodes:
    - { id: start, type: start, data: {} } # where it begins
    # Greets.
    - id: greet
      type: set
      data:
        inputs:
          values:
            text: 'Hello' # kept
            other: "{{ data.x }}"
        label: Greet

  edges: [{ source: start, target: greet }]
onFailure: flow_b
`;
    const editor = createEditor({ flowId: "flow_x", flow: read(text), revision: 1 });
    editor.getState().type(text);
    editor.getState().change(setField("greet", ["data", "inputs", "values", "other"], "{{ data.y }}"));
    expect(textOf(editor.getState())).toBe(text.replace("data.x", "data.y"));
  });

  it("writes aliases out, so that a change of one place changes that place alone", () => {
    const text = `graph:
  nodes:
    - { id: a, type: set, data: { inputs: { values: &v { n: 1 } } } }
    - { id: b, type: set, data: { inputs: { values: *v } } }
  edges: []
`;
    const flow = read(text);
    const changed = setField("a", ["data", "inputs", "values", "n"], 2)(flow);
    expect(read(rewriteText(text, changed))).toEqual(changed);
  });

  it("says by line what cannot be read, and keeps the last draft that could be", () => {
    const editor = createEditor({ flowId: "flow_x", flow: { graph: { nodes: [], edges: [] } }, revision: 1 });
    editor.getState().type("graph:\n  nodes:\n    - { id: a }\n  edges: []\n");
    expect(editor.getState().faults).toMatchObject([{ line: 3 }]);
    expect(editor.getState().flow.graph.nodes).toEqual([]);
    editor.getState().change(addNode(scratch));
    expect(editor.getState().flow.graph.nodes).toEqual([]);
    editor.getState().type("graph:\n  nodes:\n    - { id: a, type: set }\n  edges: []\n");
    expect(editor.getState().faults).toEqual([]);
    expect(editor.getState().flow.graph.nodes).toEqual([{ id: "a", type: "set" }]);
  });

  it("says what is wrong with a text that is no flow", () => {
    for (const text of ["", "[]", "a: 1", "graph: 1", "graph: { nodes: 1, edges: [] }", "graph: [", "a: *b"])
      expect(readText(text).faults.length, text).toBeGreaterThan(0);
    const twice = "graph: { nodes: [{ id: a, type: set }, { id: a, type: set }], edges: [] }";
    expect(readText(twice).faults[0]?.message).toContain("twice");
  });
});

const id = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,12}$/);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" });
const generatedFlow: fc.Arbitrary<Flow> = fc.uniqueArray(id, { minLength: 1, maxLength: 5 }).chain((ids) => {
  const one = fc.constantFrom(...ids);
  const data = fc.record(
    {
      label: fc.string({ unit: "grapheme", maxLength: 20 }),
      inputs: fc.dictionary(fc.string({ minLength: 1 }), json, { noNullPrototype: true, maxKeys: 4 }),
      credential: id,
      disabled: fc.boolean(),
      retry: fc.record({ maxAttempts: fc.nat(10) }),
      ui: json,
    },
    { requiredKeys: [] },
  );
  const nodes = fc.tuple(
    ...ids.map((nodeId) =>
      fc.record(
        {
          id: fc.constant(nodeId),
          type: fc.constantFrom("start", "set", "if", "for-each"),
          parentId: one,
          data,
          position: fc.record({ x: fc.integer(), y: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
        },
        { requiredKeys: ["id", "type"] },
      ),
    ),
  );
  const edges = fc.array(
    fc.record({ id, source: one, target: one, sourceHandle: id }, { requiredKeys: ["source", "target"] }),
    { maxLength: 8 },
  );
  const notes = fc.uniqueArray(
    fc.record(
      {
        id,
        text: fc.string({ unit: "grapheme", maxLength: 40 }),
        position: fc.record({ x: fc.integer(), y: fc.integer() }),
        width: fc.nat(900),
      },
      { requiredKeys: ["id", "text", "position"] },
    ),
    { selector: (note) => note.id, maxLength: 3 },
  );
  const graph = fc.record({ nodes, edges, notes }, { requiredKeys: ["nodes", "edges"] });
  const input = fc.dictionary(fc.string(), json, { noNullPrototype: true, maxKeys: 4 });
  return fc.record({ graph, input, onFailure: id }, { requiredKeys: ["graph"] }) as fc.Arbitrary<Flow>;
});

/** As the service sends it. */
const sent = generatedFlow.map((flow) => JSON.parse(JSON.stringify(flow)) as Flow);

describe("any document", () => {
  it("goes through the editor's text and back, byte for byte", () => {
    fc.assert(
      fc.property(sent, (flow) => {
        const text = writeText(flow);
        expect(JSON.stringify(read(text))).toBe(JSON.stringify(flow));
        expect(rewriteText(text, flow)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("may name two edges alike: each is written as itself", () => {
    const edges = [{ id: "same", source: "start", target: "end" }];
    const graph = { nodes: [], edges } as unknown as Flow["graph"];
    const more = { ...graph, edges: [...edges, { ...edges[0]!, sourceHandle: "else" }] };
    const said = read(rewriteText(writeText({ graph } as Flow), { graph: more } as Flow));
    expect(said.graph.edges).toEqual(more.edges);
  });

  it("is said by the text of any other one, rewritten", () => {
    fc.assert(
      fc.property(sent, sent, (flow, other) => {
        const said = read(rewriteText(writeText(flow), other));
        expect(JSON.stringify(said.graph)).toBe(JSON.stringify(other.graph));
        expect(said).toEqual(other);
      }),
      { numRuns: 100 },
    );
  });
});
