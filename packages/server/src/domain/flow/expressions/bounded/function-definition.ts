import type { Evaluation } from "./evaluation.ts";

/**
 * A function whose cost is known. `parameters` are JSONata's type letters: s text, n number, b truth value, x anything,
 * a list, A<type> list of one type, v text or number or truth value; `?` may be left out. The first argument is
 * always given here: a call that leaves it to the context is not bounded.
 */
export interface BoundedFunction {
  readonly parameters: readonly string[];
  /** JSONata would try the context as the first argument where the types do not fit. */
  readonly takesContext: boolean;
  readonly call: (evaluation: Evaluation, ...args: never[]) => unknown;
}

export type FunctionEntry = readonly [name: string, definition: BoundedFunction];

export function define(signature: string, call: BoundedFunction["call"]): BoundedFunction {
  const takesContext = signature.includes("-");
  return { parameters: signature.replace("-", "").split(" ").filter(Boolean), takesContext, call };
}
