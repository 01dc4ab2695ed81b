import { describe, expect, it } from "vitest";
import { dataOfFields, readForm, schemaOfAnswer } from "../../src/domain/approval/approval-form.ts";
import { checkValue } from "../../src/domain/json-schema/check-value.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const read = (form: unknown) => finishSliced(readForm(form));
const form = read({
  type: "object",
  properties: {
    text: { type: "string", title: "A text", description: "Any" },
    amount: { type: "number", minimum: 1 },
    count: { type: "integer" },
    sure: { type: "boolean" },
    kind: { type: "number", enum: [1, 2] },
    yes: { type: "boolean", enum: [true] },
  },
  required: ["text", "amount"],
}).form!;

describe("a form", () => {
  it("has fields with their names for people", () => {
    expect(form.fields.map(({ name, title, isRequired }) => [name, title, isRequired])).toEqual([
      ["text", "A text", true],
      ["amount", "amount", true],
      ["count", "count", false],
      ["sure", "sure", false],
      ["kind", "kind", false],
      ["yes", "yes", false],
    ]);
    expect(form.fields[0]!.description).toBe("Any");
  });

  it.each([
    [3, "must be a JSON Schema"],
    [{ type: "string" }, 'must have "type": "object" and properties'],
    [{ type: "object", properties: {} }, 'must have "type": "object" and properties'],
    [{ type: "object", properties: { a: true } }, "must have one of the types"],
    [{ type: "object", properties: { a: { type: "array" } } }, "must have one of the types"],
    [
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, { type: "string" }])),
      },
      "must be at most 50",
    ],
  ])("is refused where a page could not ask for it: %j", (schema, message) => {
    expect(
      read(schema)
        .problems.map((problem) => problem.message)
        .join(),
    ).toContain(message);
  });

  it("may require nothing", () => {
    expect(read({ type: "object", properties: { a: { type: "string" } } }).form!.fields[0]!.isRequired).toBe(
      false,
    );
  });
});

describe("what a page sends", () => {
  it("has the types that the form asks for; what is empty is left out", () => {
    const given = {
      "data.text": "hi",
      "data.amount": "12.5",
      "data.count": "3",
      "data.sure": "on",
      "data.kind": "2",
      "data.yes": "true",
      "data.other": "x",
      decision: "approved",
    };
    expect(dataOfFields(form, given)).toEqual({
      text: "hi",
      amount: 12.5,
      count: 3,
      sure: true,
      kind: 2,
      yes: true,
    });
    expect(dataOfFields(form, { "data.text": "", "data.amount": ["1", "2"] })).toEqual({ sure: false });
  });

  it("stays a text where it cannot be read, and is refused as one", () => {
    const data = dataOfFields(form, { "data.text": "7", "data.amount": "much", "data.kind": "9" });
    expect(data).toMatchObject({ text: "7", amount: "much", kind: "9" });
    const issues = finishSliced(checkValue(schemaOfAnswer(form, "approved"), data));
    expect(issues.map(({ path }) => path[0])).toEqual(["amount", "kind"]);
  });
});

it("who rejects may leave out what is required, but not send what does not fit", () => {
  const check = (decision: string, value: object) =>
    finishSliced(checkValue(schemaOfAnswer(form, decision), value)).map(({ path }) => path[0]);
  expect(check("approved", {})).toEqual(["text", "amount"]);
  expect(check("rejected", {})).toEqual([]);
  expect(check("rejected", { amount: 0 })).toEqual(["amount"]);
});
