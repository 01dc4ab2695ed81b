import { readdir, readFile } from "node:fs/promises";
import { documentJsonSchemas } from "@millrace/contract/documents/json-schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

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

const fileOf = (kind: string) => `${kind.replace(/(?<=[a-z])(?=[A-Z])/, "-").toLowerCase()}.schema.json`;

describe("the shipped JSON Schemas", () => {
  it("are what the contract says; `npm run schemas` writes them anew", async () => {
    for (const [file, schema] of Object.entries(documentJsonSchemas())) {
      expect(JSON.parse(await readFile(new URL(file, schemaDirectory), "utf8"))).toEqual(schema);
    }
    const shipped = await readdir(schemaDirectory);
    expect(shipped.sort()).toEqual(Object.keys(documentJsonSchemas()).sort());
  });

  it("accept every document of the examples", async () => {
    const schemas = documentJsonSchemas();
    const any = compile(schemas["millrace.schema.json"]!);
    const documents = await exampleDocuments();
    expect(documents.length).toBeGreaterThanOrEqual(8);
    for (const { file, document } of documents) {
      const own = compile(schemas[fileOf(document.kind)]!);
      expect({ file, ok: own(document), errors: own.errors }).toEqual({ file, ok: true, errors: null });
      expect(any(document)).toBe(true);
    }
  });

  it("refuse a misspelt key and a wrong type", () => {
    const organization = compile(documentJsonSchemas()["organization.schema.json"]!);
    expect(organization({ kind: "Organization", id: "org_a", name: "A" })).toBe(true);
    expect(organization({ kind: "Organization", id: "org_a", name: "A", limts: {} })).toBe(false);
    expect(organization({ kind: "Organization", id: "org_a", name: 3 })).toBe(false);
  });
});
