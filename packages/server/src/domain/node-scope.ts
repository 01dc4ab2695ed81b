/** Which nodes of a run a list is about: those outside of containers, or those in the rounds of one. */
export interface NodeScope {
  /** What stands before the id of a node. */
  readonly prefix: string;
  /** The nodes inside a container of the flow itself; their keys do not name it. */
  readonly nodeIds: readonly string[] | undefined;
  readonly hasRounds: boolean;
}

export const OUTSIDE: NodeScope = { prefix: "", nodeIds: undefined, hasRounds: false };

/** Of a container inside another one its own key stands before those of its nodes: `inner[2].fetch[3]`. */
export function scopeOfContainer(
  containerKey: string,
  childIdsOf: (containerId: string) => readonly string[] | undefined,
): NodeScope | undefined {
  const [, containerId, round] = /(?:^|\.)([^.[\]]+)(\[\d+\])?$/.exec(containerKey) ?? [];
  if (containerId === undefined) return undefined;
  const nodeIds = childIdsOf(containerId);
  if (nodeIds === undefined) return undefined;
  return { prefix: round === undefined ? "" : `${containerKey}.`, nodeIds, hasRounds: true };
}

export function isInScope({ prefix, nodeIds, hasRounds }: NodeScope, nodeKey: string): boolean {
  if (!hasRounds) return !nodeKey.includes("[");
  if (!nodeKey.startsWith(prefix)) return false;
  const [, id] = /^([^.[\]]+)\[\d+\]$/.exec(nodeKey.slice(prefix.length)) ?? [];
  return id !== undefined && nodeIds!.includes(id);
}
