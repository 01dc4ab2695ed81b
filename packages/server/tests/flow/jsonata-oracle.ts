import jsonata from "jsonata";
import {
  compileExpression,
  evaluateExpression,
} from "../../src/domain/flow/expressions/compiled-expression.ts";

export const unbounded = Symbol("left to the sandbox");
export const failed = Symbol("failed");

/** The value in JSON, or one of the two marks. */
export function evaluateHere(source: string, root: unknown): unknown {
  try {
    const value = evaluateExpression(compileExpression(source), {
      root,
      nowMs: 0,
      evaluateUnbounded: async () => unbounded,
    });
    return value instanceof Promise ? unbounded : normalize(value);
  } catch {
    return failed;
  }
}

/** The same by JSONata itself, which must agree. */
export async function evaluateByJsonata(source: string, root: unknown): Promise<unknown> {
  const copy = structuredClone(root);
  const evaluate = async () => normalize(await jsonata(source).evaluate(copy));
  const result = await evaluate().catch(() => failed);
  // An object constructor over an empty list puts something into that list: a fault that is not repeated here.
  if (JSON.stringify(copy) !== JSON.stringify(root)) throw new ChangedInput();
  return result;
}

export class ChangedInput extends Error {}

/** What is left of a value in JSON; a number that JSON does not know counts as a failure. */
function normalize(value: unknown): unknown {
  let hasOddNumber = false;
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "number" && !Number.isFinite(part)) hasOddNumber = true;
    return part;
  }) as string | undefined;
  if (hasOddNumber) return failed;
  return text === undefined ? undefined : JSON.parse(text);
}
