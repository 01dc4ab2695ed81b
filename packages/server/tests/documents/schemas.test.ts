import { readdir, readFile } from "node:fs/promises";
import { documentJsonSchemas } from "@millrace/contract/documents/json-schemas";
import { nodeCatalogue } from "@millrace/contract/documents/node-catalogue";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { parseAllDocuments } from "yaml";

const documentSchemas = documentJsonSchemas(nodeTypes.values());
const schemaDirectory = new URL("../../../contract/schemas/", import.meta.url);
const examples = new URL("../../../../examples/", import.meta.url);

async function exampleDocuments(): Promise<{ file: string; document: { kind: string } }[]> {
  const files = await readdir(examples, { recursive: true });
  const found = files
    .filter((file) => /\.(yaml|yml|json)$/.test(file))
    .map(async (file) => {
      const documents = parseAllDocuments(await readFile(new URL(file, examples), "utf8"));
      return [...documents].map((document) => ({ file, document: document.toJS() }));
    });
  return (await Promise.all(found)).flat();
}

// Formats are for editors; their patterns stand beside them.
const compile = (schema: object) => new Ajv2020({ validateFormats: false }).compile(schema);

const flow = compile(documentSchemas["flow.schema.json"]!);
const any = compile(documentSchemas["millrace.schema.json"]!);

const fileOf = (kind: string) => `${kind.replace(/(?<=[a-z])(?=[A-Z])/, "-").toLowerCase()}.schema.json`;

describe("the shipped JSON Schemas", () => {
  it("are what the contract says; `npm run schemas` writes them anew", async () => {
    const written = { ...documentSchemas, "node-types.json": nodeCatalogue(nodeTypes.values()) };
    for (const [file, content] of Object.entries(written)) {
      expect(JSON.parse(await readFile(new URL(file, schemaDirectory), "utf8"))).toEqual(content);
    }
    const shipped = await readdir(schemaDirectory);
    expect(shipped.sort()).toEqual(Object.keys(written).sort());
  });

  it("accept every document of the examples", async () => {
    const documents = await exampleDocuments();
    expect(documents.length).toBeGreaterThanOrEqual(8);
    const kinds = new Set(documents.map(({ document }) => document.kind));
    const byKind = new Map(Array.from(kinds, (kind) => [kind, compile(documentSchemas[fileOf(kind)]!)]));
    for (const { file, document } of documents) {
      const own = byKind.get(document.kind)!;
      expect({ file, ok: own(document), errors: own.errors }).toEqual({ file, ok: true, errors: null });
      expect(any(document)).toBe(true);
    }
  });

  it("refuse a misspelt key and a wrong type", () => {
    const organization = compile(documentSchemas["organization.schema.json"]!);
    expect(organization({ kind: "Organization", id: "org_a", name: "A" })).toBe(true);
    expect(organization({ kind: "Organization", id: "org_a", name: "A", limts: {} })).toBe(false);
    expect(organization({ kind: "Organization", id: "org_a", name: 3 })).toBe(false);
  });

  const flowOf = (node: object, more: object = {}) => ({
    kind: "Flow",
    id: "flow_a",
    organizationId: "org_a",
    name: "A",
    graph: { nodes: [node], edges: [], ...more },
  });

  it("accept the example of every node type, with expressions and nothing in the place of any input", () => {
    for (const { type, example, inputs } of nodeTypes.values()) {
      const node = {
        id: "a",
        type,
        position: { x: 1, y: 2 },
        measured: {},
        data: { ...example, ui: { color: "red" } },
      };
      expect({ type, ok: flow(flowOf(node)), errors: flow.errors }).toEqual({ type, ok: true, errors: null });
      for (const value of ["{{ data.x }}", "", null]) {
        const filled = Object.fromEntries(Object.keys(inputs.shape).map((name) => [name, value]));
        expect(flow(flowOf({ id: "a", type, data: { inputs: filled } }))).toBe(true);
      }
    }
  });

  it.each([
    ["an input that another type has", { id: "a", type: "set", data: { inputs: { url: "x" } } }],
    ["a misspelt input", { id: "a", type: "http-request", data: { inputs: { ulr: "x" } } }],
    [
      "a misspelt key inside an input",
      { id: "a", type: "switch", data: { inputs: { value: 1, cases: [{ name: "b", eqals: 1 }] } } },
    ],
    ["a misspelt setting", { id: "a", type: "set", data: { timeoutSecond: 1 } }],
    ["a misspelt key of a node", { id: "a", type: "set", parentID: "b" }],
    ["a misspelt type", { id: "a", type: "sett" }],
    ["a wrong value", { id: "a", type: "http-request", data: { inputs: { method: "GETT" } } }],
  ])("refuse %s", (_what, node) => {
    expect(flow(flowOf(node))).toBe(false);
    expect(any(flowOf(node))).toBe(false);
  });

  it("are closed wherever an object has named keys", () => {
    const open: string[] = [];
    const look = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { properties, additionalProperties } = schema as Record<string, unknown>;
      if (typeof properties === "object" && additionalProperties !== false) open.push(path);
      for (const [key, inner] of Object.entries(schema)) look(inner, `${path}/${key}`);
    };
    for (const [file, schema] of Object.entries(documentSchemas)) look(schema, file);
    // `start` takes defaults of any name.
    expect(open.filter((path) => !path.includes("node-start/"))).toEqual([]);
  });
});
