import type { z } from "zod";
import type { NodeKind } from "./catalogue.ts";

/** The schema of one input; `undefined` where the type does not name it. */
export function inputField(kind: NodeKind, name: string): z.ZodType | undefined {
  return Object.hasOwn(kind.inputs.shape, name) ? (kind.inputs.shape[name] as z.ZodType) : undefined;
}

/** Takes inputs of any name (`start`). */
export function takesAnyInput(kind: NodeKind): boolean {
  const catchall = kind.inputs.def.catchall as z.ZodType | undefined;
  return catchall !== undefined && catchall.def.type !== "never";
}

export function acceptsNull(kind: NodeKind, name: string): boolean {
  return inputField(kind, name)?.safeParse(null).success ?? true;
}

/** Whether a trigger may fill the input at all. */
export function isOpenInput(kind: NodeKind, name: string): boolean {
  return !kind.lockedInputs?.includes(name) && !kind.bareExpressions?.includes(name);
}

export function isRequired(kind: NodeKind, name: string): boolean {
  return inputField(kind, name)?.safeParse(undefined).success === false;
}

/** What a canvas leaves behind where nobody has filled in anything. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
