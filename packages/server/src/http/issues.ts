import type { Issue } from "@millrace/contract/envelope";
import type { z } from "zod";
import { plainIssue } from "../domain/plain-issue.ts";

/** What a schema found, in words for the caller. */
export function toIssues(error: z.ZodError): Issue[] {
  return error.issues.map((issue) => ({
    path: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
    message: plainIssue(issue.message),
  }));
}
