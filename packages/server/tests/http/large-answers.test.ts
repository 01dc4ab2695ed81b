import { expect, it } from "vitest";
import { isLargeJson } from "../../src/http/large-answers.ts";

const many = Array.from({ length: 10_000 }, (_, at) => ({ at }));

it.each([
  ["a list", many, true],
  ["an object", { success: true, data: { many } }, true],
  ["a long text in an object", { text: "x".repeat(200_000) }, true],
  ["a small object", { success: true, data: { id: "run_1", createdAt: new Date() } }, false],
  ["a text", "x".repeat(1_000_000), false],
  ["bytes", Buffer.alloc(1_000_000), false],
  ["nothing", undefined, false],
])("an answer is written in turn only where that takes long: %s", (_name, body, isLarge) => {
  expect(isLargeJson(body)).toBe(isLarge);
});
