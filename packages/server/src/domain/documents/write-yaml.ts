import type { Sliced } from "../sliced.ts";

/** A value as YAML that reads back as exactly this value, keys in their order. */
export function* writeYaml(value: unknown): Sliced<string> {
  const lines: string[] = [];
  yield* write(value, "", "", lines);
  return `${lines.join("\n")}\n`;
}

/** `lead` stands before the first line: the indentation, and a key or a dash. */
function* write(value: unknown, lead: string, indent: string, lines: string[]): Sliced<void> {
  if (lines.length % LINES_A_SLICE === 0) yield;
  if (Array.isArray(value) && value.length > 0) {
    if (lead !== indent) lines.push(lead.trimEnd());
    for (const item of value) yield* writeItem(item, indent, lines);
  } else if (isFilled(value)) {
    if (lead !== indent) lines.push(lead.trimEnd());
    for (const [key, item] of Object.entries(value)) yield* writeEntry(key, item, indent, lines);
  } else if (typeof value === "string" && isBlock(value)) {
    lines.push(`${lead}|-`, ...value.split("\n").map((line) => (line === "" ? "" : `${indent}${line}`)));
  } else lines.push(`${lead}${scalar(value)}`);
}

const LINES_A_SLICE = 50;

function* writeEntry(key: string, value: unknown, indent: string, lines: string[]): Sliced<void> {
  const lead = `${indent}${keyText(key)}: `;
  // A list stands under its key, an object one step to the right.
  yield* write(value, lead, `${indent}  `, lines);
}

/** The first key of an object stands behind the dash. */
function* writeItem(item: unknown, indent: string, lines: string[]): Sliced<void> {
  const first = lines.length;
  if (!isFilled(item) && !(Array.isArray(item) && item.length > 0)) {
    yield* write(item, `${indent}- `, `${indent}  `, lines);
    return;
  }
  yield* write(item, `${indent}  `, `${indent}  `, lines);
  lines[first] = `${indent}- ${lines[first]!.slice(indent.length + 2)}`;
}

function isFilled(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every(({ length }) => length <= MAX_KEY_LENGTH);
}

/** A longer key can only stand in JSON. */
const MAX_KEY_LENGTH = 100;

/** What YAML takes for the text that it is. Words such as `no`, `~` and numbers are none of these. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_/.-]*(?: [A-Za-z0-9_/.+-]+)*$/;
const WORDS = /^(?:true|false|yes|no|on|off|null|y|n|nan|inf)$/i;
/** Texts of several lines that look the same inside of a block. */
const BLOCK =
  /^[^\s][\t\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe\u{10000}-\u{10fffd}]*(?:\n[\t\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe\u{10000}-\u{10fffd}]*)+$/u;
const MAX_PLAIN_LENGTH = 200;

function isBlock(text: string): boolean {
  return BLOCK.test(text) && !text.endsWith("\n") && !/[\u2028\u2029]/.test(text) && !/[ \t]$/m.test(text);
}

function keyText(key: string): string {
  return isPlain(key) ? key : JSON.stringify(key);
}

function isPlain(text: string): boolean {
  return text.length <= MAX_PLAIN_LENGTH && PLAIN.test(text) && !WORDS.test(text) && !text.includes(" #");
}

/** JSON is YAML. */
function scalar(value: unknown): string {
  return typeof value === "string" && isPlain(value) ? value : JSON.stringify(value);
}
