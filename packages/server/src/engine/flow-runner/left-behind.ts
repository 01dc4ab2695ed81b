import type { CompiledFlow, CompiledScope } from "../../domain/flow/compile.ts";
import { hasPassed } from "./memory.ts";
import type { NodeRecord } from "./run-types.ts";
import type { ScopeRoundOptions } from "./scope-types.ts";

/**
 * Whether the run is past a node, or past a container around it, and waits for it no more. Where it does still, the process
 * that went on from there was killed before it could say so.
 */
export function leftBehind(
  { root }: CompiledFlow,
  restored: ReadonlyMap<string, NodeRecord>,
): (nodeKey: string) => boolean {
  let containers: ReadonlyMap<string, string> | undefined;
  const around = (nodeKey: string): string | undefined => {
    const prefixLength = nodeKey.lastIndexOf(".");
    if (prefixLength > 0) return nodeKey.slice(0, prefixLength);
    containers ??= new Map(containersOf(root));
    return containers.get(nodeKey.replace(/\[\d+\]$/, ""));
  };
  return (nodeKey) => {
    for (let key: string | undefined = nodeKey; key !== undefined; key = around(key)) {
      const record = restored.get(key);
      if (record !== undefined && hasPassed(record)) return true;
    }
    return false;
  };
}

/** Whether a node with this key belongs to the round. */
export function isInRound({ scope, keyOf }: ScopeRoundOptions): (nodeKey: string) => boolean {
  const keys = scope.nodes.map(({ id }) => keyOf(id));
  return (nodeKey) => keys.some((key) => nodeKey === key || nodeKey.startsWith(`${key}.`));
}

/** Of every node inside of a container of the flow itself: the id of that container. */
function containersOf({ nodes }: CompiledScope): [string, string][] {
  return nodes.flatMap(({ id, children }) =>
    (children?.nodes ?? []).map((node): [string, string] => [node.id, id]),
  );
}
