import { ExpressionError } from "../expression-error.ts";
import { NotBounded } from "../meter.ts";
import type { Evaluation } from "./evaluation.ts";
import type { BoundedFunction } from "./function-definition.ts";
import { listFunctions } from "./list-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { textFunctions } from "./text-functions.ts";
import { valueFunctions } from "./value-functions.ts";

const boundedFunctions = new Map<unknown, BoundedFunction>([
  ...valueFunctions,
  ...textFunctions,
  ...numberFunctions,
  ...listFunctions,
]);

/** The function, if a call with so many arguments is bounded. */
export function findFunction(name: unknown, argumentCount: number): BoundedFunction | undefined {
  const found = boundedFunctions.get(name);
  if (found === undefined || argumentCount > found.parameters.length) return undefined;
  const required = found.parameters.filter((parameter) => !parameter.endsWith("?")).length;
  return argumentCount >= required ? found : undefined;
}

export function callFunction(
  name: string,
  found: BoundedFunction,
  evaluation: Evaluation,
  args: unknown[],
): unknown {
  for (let position = 0; position < args.length; position += 1) {
    const parameter = found.parameters[position] as string;
    if (parameter.startsWith("A") || parameter === "a") {
      args[position] = toList(evaluation, args[position]);
    }
    if (fits(evaluation, parameter, args[position])) continue;
    if (found.takesContext && args.length < found.parameters.length) throw new NotBounded();
    throw new ExpressionError(`argument ${position + 1} of $${name} has the wrong type`);
  }
  return found.call(evaluation, ...(args as never[]));
}

function toList(evaluation: Evaluation, value: unknown): unknown {
  if (value === undefined || Array.isArray(value)) return value;
  evaluation.spend(1);
  return [value];
}

function fits(evaluation: Evaluation, parameter: string, value: unknown): boolean {
  if (value === undefined) return true;
  switch (parameter.charAt(0)) {
    case "x":
    case "a":
      return true;
    case "s":
      return typeof value === "string";
    case "n":
      return typeof value === "number";
    case "b":
      return typeof value === "boolean";
    case "v":
      return typeof value === "number" || typeof value === "string" || typeof value === "boolean";
    case "o":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default: {
      const items = value as readonly unknown[];
      evaluation.spend(items.length);
      // Inside a list, nothing is not a value of any type.
      return items.every((item) => item !== undefined && fits(evaluation, parameter.slice(1), item));
    }
  }
}
