import { expect } from "vitest";
import { checkValue } from "../../../src/domain/json-schema/check-value.ts";
import { readSchema } from "../../../src/domain/json-schema/read-schema.ts";
import { finishSliced } from "../../../src/domain/sliced.ts";

export const problemsOf = (schema: unknown) =>
  finishSliced(readSchema(schema)).problems.map(({ path, message }) => `${path.join(".")}: ${message}`);

export const issuesOf = (schema: object, value: unknown) => {
  const { schema: read, problems } = finishSliced(readSchema(schema));
  expect(problems).toEqual([]);
  return finishSliced(checkValue(read!, value)).map(({ path, message }) => `${path.join(".")}: ${message}`);
};

export const text = { type: "string" };
export const object = { type: "object" };
export const list = { type: "array" };
export const keyed = (...entries: [string, unknown][]) => Object.fromEntries(entries) as object;
