import type { EvaluatedNode } from "./live-store.ts";
import type { FieldPlace } from "../field-place.ts";

/** What a field comes to on the chosen run; undefined where nothing is known of it. */
export function fieldValue(
  node: EvaluatedNode | undefined,
  { path, language }: FieldPlace,
): { readonly value: unknown } | undefined {
  if (!node) return undefined;
  const inside = path[0] === "data" && path[1] === "inputs" ? path.slice(2) : undefined;
  if (!inside) return undefined;
  // An expression by itself is evaluated by the node: what it gives is the node's.
  if (language === "expression" || language === "javascript")
    return node.output === undefined ? undefined : { value: unwrapped(node.output) };
  let value: unknown = node.input;
  for (const step of inside) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value === undefined ? undefined : { value };
}

function unwrapped(output: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(output);
  return keys.length === 1 && keys[0] === "value" ? output["value"] : output;
}

const MAX_LENGTH = 160;

export function previewOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
