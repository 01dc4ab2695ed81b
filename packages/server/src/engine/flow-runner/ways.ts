import type { CompiledNode, CompiledScope } from "../../domain/flow/compile.ts";
import type { Plan } from "../../domain/flow/plan.ts";
import type { ScopeRoundOptions } from "./scope-types.ts";

type Outputs = Record<string, unknown>;

/** By position: which way led to the nodes that join any, as far as records tell. */
export function rememberedWinners({
  run,
  scope,
  keyOf,
}: ScopeRoundOptions): ReadonlyMap<number, number> | undefined {
  const { restored } = run.options.checkpoints;
  if (scope.anyJoins.length === 0 || restored.size === 0) return undefined;
  const winners = new Map<number, number>();
  for (const { id, position, sources } of scope.anyJoins) {
    const winnerId = restored.get(keyOf(id))?.joinedFrom;
    const winner = sources.find((source) => scope.nodes[source]!.id === winnerId);
    if (winner !== undefined) winners.set(position, winner);
  }
  return winners;
}

/** The id of the node whose way led to one that joins any. */
export function winnerOf({ nodes }: CompiledScope, { winners }: Plan, { position }: CompiledNode) {
  const winner = winners?.get(position);
  return winner === undefined ? undefined : nodes[winner]!.id;
}

/**
 * Outputs that a node may read: what was known before its scope began, and the nodes on the ways that led to it. What ends
 * beside it may do so sooner or later, so it makes no difference.
 */
export function outputsBefore(
  node: CompiledNode,
  { scope, nodes: known }: Pick<ScopeRoundOptions, "scope" | "nodes">,
  { plan, ran, outputs }: { plan: Plan; ran: ReadonlySet<CompiledNode>; outputs: Outputs },
): Outputs {
  const seen = Object.assign(Object.create(null) as Outputs, known);
  const visited = new Set<number>();
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const winner = plan.winners?.get(next.position);
    for (const position of winner === undefined ? next.sources : [winner]) {
      if (visited.has(position)) continue;
      visited.add(position);
      const source = scope.nodes[position]!;
      if (ran.has(source)) seen[source.id] = outputs[source.id];
      pending.push(source);
    }
  }
  return seen;
}

/** The output of the last node of a scope; of several, an object by id. */
export function resultOf({ last }: CompiledScope, ran: ReadonlySet<CompiledNode>, outputs: Outputs): unknown {
  const [only] = last;
  if (last.length === 1 && only !== undefined) return (ran.has(only) ? outputs[only.id] : null) ?? null;
  return Object.fromEntries(last.filter((node) => ran.has(node)).map(({ id }) => [id, outputs[id]]));
}

/** Behind `start`, expressions read the trigger laid over the defaults, as `nodes.start` shows it. */
export function showTrigger(trigger: unknown, output: unknown): void {
  const { body, headers, query, method } = output as Readonly<Record<string, unknown>>;
  Object.assign(trigger as object, { body, headers, query, method });
}
