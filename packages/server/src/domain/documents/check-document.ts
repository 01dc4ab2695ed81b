import {
  type DocumentKind,
  documentKinds,
  documentSchemas,
  type WorkspaceDocument,
} from "@millrace/contract/documents/document";
import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { faultsOfKeys } from "@millrace/contract/documents/closed-object";
import { unknownName } from "@millrace/contract/documents/nearest-name";
import type { z } from "zod";
import { checkRules, type RuledFields } from "./check-rules.ts";
import { checkValues } from "./check-values.ts";
import type { Problem } from "./fault.ts";

/** Nobody reads on; a document may hold very many. */
const MAX_PROBLEMS = 100;

/** One document by itself: its values, its shape, then the rules of its kind. */
export function checkDocument(value: unknown): {
  document?: WorkspaceDocument | FlowTestDocument;
  problems: Problem[];
} {
  const unsafe = checkValues(value);
  if (unsafe.length > 0) return { problems: unsafe };
  const kind = kindOf(value);
  if (typeof kind !== "string") return { problems: [kind] };
  const parsed = documentSchemas[kind].safeParse(value, { error: plainMessage });
  if (parsed.success) return { document: parsed.data, problems: checkRules(parsed.data as RuledFields) };
  const shape = Iterator.from(parsed.error.issues)
    .flatMap((issue) => problemsOf(issue))
    .take(MAX_PROBLEMS)
    .toArray();
  return { problems: [...shape, ...checkRules(readableFields(kind, value as object))] };
}

/** What can be read of a document that cannot be read whole, so that its other faults are told in the same go. */
function readableFields(kind: DocumentKind, value: object): RuledFields {
  const fields = Object.entries(documentSchemas[kind].shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse((value as Record<string, unknown>)[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(fields) as RuledFields;
}

function kindOf(value: unknown): DocumentKind | Problem {
  const known = `known are ${documentKinds.join(", ")}`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { path: [], message: "must be an object with a kind" };
  }
  if (!Object.hasOwn(value, "kind")) return { path: [], message: `has no kind; ${known}` };
  const { kind } = value as { kind: unknown };
  const found = documentKinds.find((name) => name === kind);
  if (found) return found;
  const message =
    typeof kind === "string" ? unknownName("kind", kind, documentKinds) : `unknown kind; ${known}`;
  return { path: ["kind"], message };
}

/** Texts for people in place of the library's; where a schema has its own, that one wins. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  if (issue.code === "invalid_type") return `must be ${withArticle(issue.expected)}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  return undefined;
}

function withArticle(type: string): string {
  const name = type === "record" ? "object" : type === "array" ? "list" : type === "string" ? "text" : type;
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}

function unitOf(origin: string): string {
  return origin === "string" ? " characters long" : origin === "array" ? " entries long" : "";
}

function* problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Generator<Problem> {
  const path = [...above, ...issue.path];
  const misspelt = issue.code === "invalid_union" ? misspeltOption(issue) : undefined;
  if (misspelt) for (const inner of misspelt) yield* problemsOf(inner, path);
  else if (issue.code === "unrecognized_keys")
    for (const { path: below, message } of faultsOfKeys(issue)) yield { path: [...path, ...below], message };
  else yield { path, message: issue.message };
}

/** Of several shapes, the one that only a misspelt key keeps the value from. */
function misspeltOption({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  return errors.find(
    (issues) => issues.some(({ code }) => code === "unrecognized_keys") && issues.length <= 2,
  );
}
