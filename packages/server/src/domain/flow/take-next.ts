import type { CompiledNode, CompiledScope } from "./compile.ts";

/**
 * Takes the next node out of those that may begin: in order of arrival, but those that talk to the outside first, and those
 * that lead to them before the rest. So work that needs nobody else never holds up a call.
 */
export function takeNext(scope: CompiledScope, ready: number[]): CompiledNode {
  if (!scope.hasUrgency || ready.length === 1) return scope.nodes[ready.shift()!]!;
  let best = 0;
  for (let at = 1; at < ready.length; at += 1) {
    if (scope.nodes[ready[at]!]!.urgency < scope.nodes[ready[best]!]!.urgency) best = at;
  }
  const [position] = ready.splice(best, 1);
  return scope.nodes[position!]!;
}
