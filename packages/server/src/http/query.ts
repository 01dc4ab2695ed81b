import { nearestName } from "@millrace/contract/documents/nearest-name";
import type { Issue } from "@millrace/contract/envelope";
import { z } from "zod";
import { Refusal } from "../domain/refusal.ts";
import { toIssues } from "./issues.ts";

/** A parameter that nobody reads is a typing mistake: it is refused together with every other fault. */
export function parseQuery(schema: z.ZodType | undefined, query: unknown): unknown {
  const given = query as Readonly<Record<string, unknown>>;
  if (isEmpty(given)) return parseNothing(schema);
  return parseGiven(schema, given);
}

/** What a schema makes of no parameters: most requests bring none, so it is made once. Reads only what is frozen. */
const ofNothing = new WeakMap<z.ZodType, unknown>();

function parseNothing(schema: z.ZodType | undefined): unknown {
  if (!schema) return undefined;
  const known = ofNothing.get(schema);
  if (known !== undefined) return known;
  const parsed = parseGiven(schema, {});
  if (typeof parsed === "object") ofNothing.set(schema, Object.freeze(parsed));
  return parsed;
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false;
  return true;
}

function parseGiven(schema: z.ZodType | undefined, given: Readonly<Record<string, unknown>>): unknown {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const issues: Issue[] = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [name], message: unknownParameter(name, known) }));
  const parsed = schema?.safeParse(given);
  for (const { path, message } of parsed?.error ? toIssues(parsed.error) : []) {
    const name = String(path[0]);
    issues.push({ path: [name], message: Array.isArray(given[name]) ? "must be given only once" : message });
  }
  if (issues.length > 0) throw new Refusal("invalid_query", { issues });
  return parsed?.data;
}

function unknownParameter(name: string, known: readonly string[]): string {
  if (known.length === 0) return "unknown parameter; this endpoint takes no query parameters";
  const nearest = nearestParameter(name, known);
  return nearest === undefined
    ? `unknown parameter; known are ${known.join(", ")}`
    : `unknown parameter; did you mean "${nearest}"?`;
}

/** `pageSize`, `page_size` and `size` all mean `page[size]`: brackets are not compared, and the last part alone counts too. */
function nearestParameter(name: string, known: readonly string[]): string | undefined {
  const forms = new Map<string, string>();
  for (const parameter of known) forms.set(lettersOf(parameter), parameter);
  for (const parameter of known) {
    const last = lastPart(parameter);
    if (!forms.has(last)) forms.set(last, parameter);
  }
  const nearest = nearestName(lettersOf(name), [...forms.keys()]);
  return forms.get(nearest ?? lastPart(name));
}

function lastPart(name: string): string {
  return lettersOf(name.split("[").at(-1)!);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
