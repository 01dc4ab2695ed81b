import { documentKinds, workspaceDocument } from "@millrace/contract/documents/document";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSource } from "../../src/domain/documents/parse-source.ts";

const parse = (text: string) => parseSource({ file: "any.yaml", text });

function expectSound({ documents, faults }: ReturnType<typeof parseSource>): void {
  for (const { document } of documents) expect(workspaceDocument.safeParse(document).success).toBe(true);
  for (const { line, column, message } of faults) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(message).not.toBe("");
  }
}

// What has a meaning in YAML; `_` stands for a space.
const marks = "kind:_ Flow --- -_ { } [ ] :_ &a_ *a !!x_ \" ' << > % @"
  .split(" ")
  .map((mark) => mark.replace("_", " "));
const controls = ["\n", "\t", "\0", "\uFEFF", "\uD800"];
const fields =
  "id name organizationId members limits credits graph webhook schedules secret type design url events __proto__ constructor";

describe("reading documents", () => {
  it("ends in documents or faults, whatever the text", () => {
    const noise = fc.string({ unit: "binary", maxLength: 200 });
    const nearlyYaml = fc
      .array(fc.constantFrom(...marks, ...controls), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(noise, nearlyYaml), (text) => expectSound(parse(text))),
      { numRuns: 300 },
    );
  });

  it("ends in documents or faults, whatever the values of any kind", () => {
    const values = fc.dictionary(fc.constantFrom(...fields.split(" ")), fc.jsonValue());
    const text = fc
      .tuple(fc.constantFrom(...documentKinds), values)
      .map(([kind, rest]) => JSON.stringify({ kind, ...rest }));
    fc.assert(
      fc.property(text, (json) => expectSound(parse(json))),
      { numRuns: 300 },
    );
  });
});
