import { scanTemplate, type TemplatePart } from "../../../domain/flow/expressions/template-scanner.ts";
import { ExpressionError } from "../../../domain/flow/expressions/expression-error.ts";

type Inputs = Readonly<Record<string, unknown>>;

/** An input that is code in a language of its own: a value put into its text would become a part of the program. */
export function codeFaults(inputs: Inputs, name: string, how: string): string[] {
  const text = inputs[name];
  if (typeof text !== "string" || !text.includes("{{")) return [];
  return [`the input "${name}" is code and must not contain {{ }}; ${how}`];
}

/** A condition is one expression. Text around it would make every value of it true. */
export function conditionFaults({ condition }: Inputs): string[] {
  if (typeof condition !== "string") return [];
  const parts = partsOf(condition.trim());
  if (parts.length < 2 || parts.every(({ kind }) => kind === "text")) return [];
  return [
    'the input "condition" mixes text and {{ }}, which makes a text and no condition; write all of it inside one {{ … }}, such as {{ data.amount > 100 }}',
  ];
}

/** Where one cannot be read, another check says so. */
function partsOf(text: string): TemplatePart[] {
  try {
    return [...scanTemplate(text)];
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}
