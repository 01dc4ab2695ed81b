import { expect, test } from "vitest";
import { z } from "zod";
import { plainIssue } from "../../src/domain/plain-issue.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 7, "must be a string"],
  [z.object({}), "x", "must be an object"],
  [z.array(z.string()), {}, "must be an array"],
  [z.string().min(1), "", "must have at least 1 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 items"],
  [z.number().min(3), 1, "must be at least 3"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.number().lt(5), 5, "must be less than 5"],
  [z.string("is no text"), 7, "is no text"],
  [z.url(), "x", "Invalid URL"],
])("zod's words are made plain: %#", (schema, value, plain) => {
  expect(plainIssue(schema.safeParse(value).error!.issues[0]!.message)).toBe(plain);
});
