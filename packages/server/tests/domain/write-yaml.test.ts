import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { writeYaml } from "../../src/domain/documents/write-yaml.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const write = (value: unknown) => finishSliced(writeYaml(value));

it("reads back as exactly the value it was written from", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }).map((one) => one.toWellFormed()),
    fc
      .array(fc.constantFrom("a", " ", "\n", ":", "#", "- ", "'", '"', "\t", "\u2028", "é", "|", "%", "@"), {
        maxLength: 12,
      })
      .map((parts) => parts.join("")),
    fc.constantFrom(
      "no",
      "~",
      "null",
      "1e3",
      "0x1f",
      "2026-01-01",
      "=",
      "<<",
      "---",
      "...",
      "a\n",
      "\na",
      "a\n\n b\n",
      "x".repeat(300),
    ),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  }));
  fc.assert(
    fc.property(
      fc.dictionary(
        text.filter((key) => key !== "__proto__"),
        value,
        { minKeys: 1, maxKeys: 5 },
      ),
      (document) => {
        const plain: unknown = JSON.parse(JSON.stringify(document));
        expect(JSON.stringify(parse(write(plain), { stringKeys: true }))).toBe(JSON.stringify(plain));
      },
    ),
    { numRuns: 2_000 },
  );
});

it("is written as people write it", () => {
  const document = {
    kind: "Flow",
    id: "flow_a",
    list: [{ id: "a", deep: { b: [1, 2] } }, "x"],
    source: "one\n\n  two",
    empty: {},
    on: "yes",
  };
  expect(write(document)).toBe(
    'kind: Flow\nid: flow_a\nlist:\n  - id: a\n    deep:\n      b:\n        - 1\n        - 2\n  - x\nsource: |-\n  one\n\n    two\nempty: {}\n"on": "yes"\n',
  );
});
