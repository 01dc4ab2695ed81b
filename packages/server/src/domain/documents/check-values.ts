import { MAX_DEPTH, MAX_VALUES } from "../json-limits.ts";
import type { Problem } from "./fault.ts";

/** What PostgreSQL cannot keep or a program could trip over, whatever key it hides behind. */
export function checkValues(document: unknown): Problem[] {
  const problems: Problem[] = [];
  let values = 0;
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    if (++values > MAX_VALUES) return;
    if (typeof value === "string") {
      const message = textProblem(value);
      if (message) problems.push({ path, message });
    } else if (typeof value === "number" && !Number.isFinite(value)) {
      problems.push({ path, message: "must be a finite number" });
    } else if (typeof value === "object" && value !== null) {
      if (path.length >= MAX_DEPTH) problems.push({ path, message: "is nested too deeply" });
      else if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]));
      else for (const [key, item] of Object.entries(value)) visitEntry(key, item, path);
    }
  };
  const visitEntry = (key: string, item: unknown, path: readonly PropertyKey[]): void => {
    const message = key === "__proto__" ? "the key __proto__ is not allowed" : textProblem(key);
    if (message) problems.push({ path: [...path, key], message });
    else visit(item, [...path, key]);
  };
  visit(document, []);
  if (values > MAX_VALUES) problems.push({ path: [], message: `holds more than ${MAX_VALUES} values` });
  return problems;
}

function textProblem(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain a NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  return undefined;
}
