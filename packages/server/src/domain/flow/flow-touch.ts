import type { NodeTouch } from "./catalogue.ts";
import type { CompiledFlow, CompiledNode } from "./compile.ts";

export const NOTHING: NodeTouch = { changes: false, destroys: false, outside: false };
/** Of what cannot be known. */
export const ANYTHING: NodeTouch = { changes: true, destroys: true, outside: true };

/** What the nodes of a flow may do to the world, without the flows that it runs by name. */
export function touchOf({ nodes }: CompiledFlow): NodeTouch {
  return [...nodes.values()].map(touchOfNode).reduce(bothTouches, NOTHING);
}

export function bothTouches(one: NodeTouch, other: NodeTouch): NodeTouch {
  return {
    changes: one.changes || other.changes,
    destroys: one.destroys || other.destroys,
    outside: one.outside || other.outside,
  };
}

/** The flows that it runs by name. */
export function flowsRunBy({ nodes }: CompiledFlow): string[] {
  return [...nodes.values()].flatMap((node) => targetOf(node) ?? []);
}

function touchOfNode(node: CompiledNode): NodeTouch {
  const { kind, inputs } = node;
  if (targetOf(node) !== undefined) return NOTHING;
  const stated = Object.fromEntries(inputs.map(({ name, template }) => [name, template.source]));
  return kind.touches?.(stated) ?? (kind.effect ? ANYTHING : NOTHING);
}

/** Undefined where only the run will know. */
function targetOf({ kind: { target }, inputs }: CompiledNode): string | undefined {
  if (target?.kind !== "flow") return undefined;
  const named = inputs.find(({ name }) => name === target.input)?.template;
  return named?.expressions.length === 0 && typeof named.source === "string" ? named.source : undefined;
}
