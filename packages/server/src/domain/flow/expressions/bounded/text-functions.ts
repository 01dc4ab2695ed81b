import { ExpressionError } from "../expression-error.ts";
import { NotBounded } from "../meter.ts";
import { type Evaluation, maxTextLength } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";

/** Nothing in, nothing out. */
function onText(calculate: (evaluation: Evaluation, text: string, ...rest: never[]) => unknown) {
  return (evaluation: Evaluation, text: string | undefined, ...rest: never[]) => {
    if (text === undefined) return undefined;
    evaluation.spendText(text.length);
    return calculate(evaluation, text, ...rest);
  };
}

/** JSONata counts in characters, not in the halves that the larger ones are made of. */
function charactersOf(evaluation: Evaluation, text: string): readonly string[] {
  evaluation.spend(4 * text.length);
  return Array.from(text);
}

/** Where no character has halves, the text itself can be counted and cut. */
function hasHalves(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

function lengthOf(evaluation: Evaluation, text: string): number {
  return hasHalves(text) ? charactersOf(evaluation, text).length : text.length;
}

function substring(evaluation: Evaluation, text: string, start: number, length?: number): string {
  const characters = hasHalves(text) ? charactersOf(evaluation, text) : text;
  const cut = (from: number, to?: number) => {
    const part = characters.slice(from, to);
    return typeof part === "string" ? part : part.join("");
  };
  const from = characters.length + start < 0 ? 0 : start;
  if (length === undefined) return cut(from);
  if (length <= 0) return "";
  return cut(from, from >= 0 ? from + length : characters.length + from + length);
}

function trim(evaluation: Evaluation, text: string): string {
  evaluation.spend(text.length >> 1);
  return text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "");
}

function pad(evaluation: Evaluation, text: string, width: number, padding?: string): string {
  const missing = Math.abs(Math.trunc(width)) - lengthOf(evaluation, text);
  if (!(missing > 0)) return text;
  if (missing > 10_000) throw new NotBounded();
  const unit = charactersOf(evaluation, padding || " ");
  evaluation.spend(missing);
  const filling = Array.from({ length: missing }, (_, at) => unit[at % unit.length]).join("");
  return evaluation.text(width > 0 ? text + filling : filling + text);
}

function split(evaluation: Evaluation, text: string, separator: string | undefined, limit?: number): unknown {
  if (limit !== undefined && limit < 0) throw new ExpressionError("the third argument of $split is negative");
  if (limit === 0) return [];
  if (separator === undefined) throw new ExpressionError("$split has no separator");
  evaluation.spendSearch(text, separator);
  const maxParts = Math.min(limit ?? Infinity, text.length / Math.max(1, separator.length));
  evaluation.spend(2 * maxParts);
  return text.split(separator, limit);
}

function join(evaluation: Evaluation, texts: readonly string[] | undefined, separator = ""): unknown {
  if (texts === undefined) return undefined;
  let length = 0;
  for (const text of texts) length += text.length + separator.length;
  // JSONata joins with nothing after the last one.
  if (length - separator.length > maxTextLength)
    throw new ExpressionError("it makes a text of more than 5 MB");
  evaluation.spendText(length);
  return evaluation.text(texts.join(separator));
}

/** The text before or after the first mark, or all of it where there is none. */
function cutAt(cut: (text: string, at: number, mark: string) => string) {
  return onText((evaluation, text, given?: string) => {
    // JSONata looks for the word where there is no mark.
    const mark = given ?? "undefined";
    evaluation.spendSearch(text, mark);
    const at = text.indexOf(mark);
    return at === -1 ? text : cut(text, at, mark);
  });
}

function contains(evaluation: Evaluation, text: string, token?: string): boolean | undefined {
  if (token === undefined) return undefined;
  evaluation.spendSearch(text, token);
  return text.includes(token);
}

export const textFunctions: readonly FunctionEntry[] = [
  ["length", define("s-", onText(lengthOf))],
  [
    "uppercase",
    define(
      "s-",
      onText((evaluation, text) => evaluation.text(text.toUpperCase())),
    ),
  ],
  [
    "lowercase",
    define(
      "s-",
      onText((evaluation, text) => evaluation.text(text.toLowerCase())),
    ),
  ],
  ["trim", define("s-", onText(trim))],
  ["pad", define("s- n s?", onText(pad))],
  ["substring", define("s- n n?", onText(substring))],
  [
    "substringBefore",
    define(
      "s- s",
      cutAt((text, at) => text.slice(0, at)),
    ),
  ],
  [
    "substringAfter",
    define(
      "s- s",
      cutAt((text, at, mark) => text.slice(at + mark.length)),
    ),
  ],
  ["contains", define("s- s", onText(contains))],
  ["split", define("s- s n?", onText(split))],
  ["join", define("As s?", join)],
];
