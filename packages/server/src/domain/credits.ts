/**
 * What runs cost: one credit for every node that ran. A trigger reserves for each node of the flow once; the
 * end settles by what really ran, which loops can make more.
 */
export function creditsToReserve(nodeCount: number): number {
  return nodeCount;
}
