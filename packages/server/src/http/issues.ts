import { textsOfKeys } from "@millrace/contract/documents/closed-object";
import type { Issue } from "@millrace/contract/envelope";
import type { z } from "zod";
import { plainIssue } from "../domain/plain-issue.ts";

/** What a schema found, in words for the caller. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
    const texts = issue.code === "unrecognized_keys" ? textsOfKeys(issue.message) : [];
    // Where a schema has a text for each unknown key, each is an issue of its own.
    if (issue.code === "unrecognized_keys" && texts.length === issue.keys.length)
      return texts.map((message, index) => ({ path: [...path, issue.keys[index]!], message }));
    return [{ path, message: plainIssue(issue.message) }];
  });
}
