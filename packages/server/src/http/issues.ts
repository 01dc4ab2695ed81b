import { faultsOfKeys } from "@millrace/contract/documents/closed-object";
import type { Issue } from "@millrace/contract/envelope";
import type { z } from "zod";
import { plainIssue } from "../domain/plain-issue.ts";

/** Nobody is told more; a body may hold very many faults. */
export const MAX_ISSUES = 100;

/** What a schema found, in words for the caller. */
export function toIssues(error: z.ZodError): Issue[] {
  return Iterator.from(error.issues).flatMap(issuesOf).take(MAX_ISSUES).toArray();
}

function* issuesOf(issue: z.core.$ZodIssue): Generator<Issue> {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const faults =
    issue.code === "unrecognized_keys" ? faultsOfKeys(issue) : [{ path: [], message: issue.message }];
  for (const { path: below, message } of faults)
    yield { path: [...path, ...below], message: plainIssue(message) };
}
