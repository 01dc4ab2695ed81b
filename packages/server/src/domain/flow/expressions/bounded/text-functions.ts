import { ExpressionError } from "../expression-error.ts";
import { type Evaluation, NotBounded } from "./evaluation.ts";
import { define, type FunctionEntry } from "./function-definition.ts";

/** Nothing in, nothing out. */
function onText(calculate: (evaluation: Evaluation, text: string, ...rest: never[]) => unknown) {
  return (evaluation: Evaluation, text: string | undefined, ...rest: never[]) => {
    if (text === undefined) return undefined;
    evaluation.spend(text.length >> 5);
    return calculate(evaluation, text, ...rest);
  };
}

function substring(_evaluation: Evaluation, text: string, start: number, length?: number): string {
  const characters = Array.from(text);
  const from = characters.length + start < 0 ? 0 : start;
  if (length === undefined) return characters.slice(from).join("");
  if (length <= 0) return "";
  return characters.slice(from, from >= 0 ? from + length : characters.length + from + length).join("");
}

function trim(_evaluation: Evaluation, text: string): string {
  return text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "");
}

function pad(evaluation: Evaluation, text: string, width: number, padding?: string): string {
  const characters = Array.from(text).length;
  const missing = Math.abs(Math.trunc(width)) - characters;
  if (!(missing > 0)) return text;
  if (missing > 10_000) throw new NotBounded();
  const unit = padding || " ";
  const filling =
    unit.length > 1 ? Array.from(unit.repeat(missing)).slice(0, missing).join("") : unit.repeat(missing);
  return evaluation.text(width > 0 ? text + filling : filling + text);
}

function split(evaluation: Evaluation, text: string, separator: string | undefined, limit?: number): unknown {
  if (limit !== undefined && limit < 0) throw new ExpressionError("the third argument of $split is negative");
  if (limit === 0) return [];
  if (separator === undefined) throw new ExpressionError("$split has no separator");
  const parts = text.split(separator, limit);
  evaluation.spend(parts.length);
  return parts;
}

export const textFunctions: readonly FunctionEntry[] = [
  [
    "length",
    define(
      "s-",
      onText((_evaluation, text) => Array.from(text).length),
    ),
  ],
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
      onText((_evaluation, text, mark: string) =>
        text.includes(mark) ? text.slice(0, text.indexOf(mark)) : text,
      ),
    ),
  ],
  [
    "substringAfter",
    define(
      "s- s",
      onText((_evaluation, text, mark: string) =>
        text.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : text,
      ),
    ),
  ],
  [
    "contains",
    define(
      "s- s",
      onText((_evaluation, text, token?: string) => (token === undefined ? undefined : text.includes(token))),
    ),
  ],
  ["split", define("s- s n?", onText(split))],
  [
    "join",
    define("As s?", (evaluation, texts: readonly string[] | undefined, separator = "") => {
      if (texts === undefined) return undefined;
      evaluation.spend(texts.length);
      return evaluation.text(texts.join(separator));
    }),
  ],
];
