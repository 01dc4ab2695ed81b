import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { FieldPlace } from "../field-place.ts";
import { previewOf } from "./field-value.ts";
import { functionNames } from "./functions.ts";

type Scope = Readonly<Record<string, unknown>>;

/** Completes paths from what the chosen run has recorded, and the names of functions. */
export function completionFor(language: FieldPlace["language"], scope: () => Scope): Extension {
  return autocompletion({
    override: [(context) => complete(context, language, scope())],
    icons: false,
    activateOnTyping: true,
  });
}

/** A path up to the cursor: names, `name`s in backticks and places in lists, joined by dots. */
const PATH = /(?:[\w$]+|`[^`]*`|\[\d+\])(?:\.(?:[\w$]+|`[^`]*`)|\[\d+\])*\.?$/;

export function complete(
  context: CompletionContext,
  language: FieldPlace["language"],
  scope: Scope,
): CompletionResult | null {
  const before = context.state.sliceDoc(0, context.pos);
  if (!isInExpression(before, language)) return null;
  const path = PATH.exec(before)?.[0] ?? "";
  if (path === "" && !context.explicit && !/\{\{\s*$/.test(before)) return null;
  const steps = path.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
  const typed = steps.pop() ?? "";
  const from = context.pos - typed.length;
  if (typed.startsWith("$") && steps.length === 0)
    return {
      from,
      options: functionNames.map((label) => ({ label, type: "function" })),
      validFor: /^\$\w*$/,
    };
  const options = optionsOf(resolve(scope, steps));
  return options.length === 0 ? null : { from, options, validFor: /^[\w`]*$/ };
}

/** Code has its input under a name; everything else is written between `{{` and `}}`, unless it is an expression. */
function isInExpression(before: string, language: FieldPlace["language"]): boolean {
  if (language === "expression" || language === "javascript") return true;
  return before.lastIndexOf("{{") > before.lastIndexOf("}}");
}

function resolve(scope: Scope, steps: readonly string[]): unknown {
  let value: unknown = scope;
  for (const step of steps) {
    // As JSONata does: a name behind a list is asked of its items.
    if (Array.isArray(value) && !/^\d+$/.test(step)) value = value[0];
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[step.replaceAll("`", "")];
  }
  return Array.isArray(value) ? value[0] : value;
}

const MAX_OPTIONS = 200;
const MAX_DETAIL = 40;

function optionsOf(value: unknown): Completion[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_OPTIONS)
    .map(([key, inner]) => ({
      label: /^[A-Za-z_]\w*$/.test(key) ? key : `\`${key}\``,
      detail: previewOf(inner).slice(0, MAX_DETAIL),
      type: "property",
    }));
}
