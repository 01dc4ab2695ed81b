/** How a value of any type is written in a field: text as it is, anything else as JSON, expressions in their braces. */
export function toText(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  return value !== "" && !isJson(value) ? value : JSON.stringify(value);
}

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/** The value that a text says. What begins like JSON and is none yet says nothing; an empty field is no value. */
export function fromText(text: string): Parsed {
  if (text.trim() === "") return { ok: true, value: undefined };
  if (isJson(text)) return { ok: true, value: JSON.parse(text) };
  return /^\s*(?:\{(?!\{)|\[)/.test(text) ? { ok: false } : { ok: true, value: text };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts that are only ever text, such as code; an empty field is no value. */
export function fromPlainText(text: string): unknown {
  return text === "" ? undefined : text;
}

/** A number where it is one, otherwise the expression that gives it. */
export function fromNumberText(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}
