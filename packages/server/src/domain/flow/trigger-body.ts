import type { CompiledFlow } from "./compile.ts";
import type { InputOverrides } from "./overrides.ts";

/** `trigger.body` as the flow will see it: what was brought, laid over what `start` states. Where that is an expression, what was brought alone. */
export function triggerBody(flow: CompiledFlow, body: unknown, overrides?: InputOverrides): unknown {
  const start = flow.root.nodes.find(({ type }) => type === "start");
  if (start === undefined) return body ?? null;
  const override = overrides?.get(start.id)?.get("body");
  const stated = start.inputs.find(({ name }) => name === "body")?.template;
  const literal = stated?.expressions.length === 0 ? stated.source : undefined;
  return overDefault(body, override ?? literal);
}

/** What was brought, key by key over the default. */
export function overDefault(value: unknown, fallback: unknown): unknown {
  if (isObject(value) && isObject(fallback)) return { ...fallback, ...value };
  return value ?? fallback ?? null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
