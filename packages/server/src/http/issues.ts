import type { Issue } from "@millrace/contract/envelope";
import type { z } from "zod";

/** What a schema found, in words for the caller. Where the contract has no words of its own, zod's are made plain. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.map((issue) => ({
    path: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    message: plainText(issue.message),
  }));
}

function plainText(message: string): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (received === "undefined") return "is required";
  if (expected !== undefined) return `must be ${/^[aeiou]/.test(expected) ? "an" : "a"} ${expected}`;
  const [, size, sign, limit, unit] =
    /^Too (small|big): expected \w+ to (?:have|be) ([<>]=?)(\S+) ?(\w*)$/.exec(message) ?? [];
  if (size === undefined) return message;
  const word =
    sign === ">" ? "more than" : sign === "<" ? "less than" : size === "small" ? "at least" : "at most";
  return unit ? `must have ${word} ${limit} ${unit}` : `must be ${word} ${limit}`;
}
