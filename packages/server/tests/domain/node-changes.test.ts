import { expect, test } from "vitest";
import { type NodeChange, tellInOrder, toNodeChange } from "../../src/domain/node-changes.ts";

function change(
  nodeKey: string,
  status: NodeChange["status"],
  startedAt: number,
  endedAt?: number,
): NodeChange {
  return { nodeKey, nodeId: nodeKey, type: "set", status, startedAt, endedAt };
}
const brief = (changes: readonly NodeChange[]) =>
  changes.map(({ nodeKey, status }) => `${nodeKey} ${status}`);

test("news come in the order in which they happened, and none twice", () => {
  const told = new Map<string, NodeChange>();
  const first = [change("b", "EXECUTING", 2), change("a", "COMPLETED", 1, 3)];
  expect(brief(tellInOrder(told, first))).toEqual(["a EXECUTING", "b EXECUTING", "a COMPLETED"]);
  expect(tellInOrder(told, first)).toEqual([]);
  expect(brief(tellInOrder(told, [change("b", "PAUSED", 2)]))).toEqual(["b PAUSED"]);
  expect(tellInOrder(told, [change("b", "PAUSED", 2)])).toEqual([]);
  expect(brief(tellInOrder(told, [change("b", "COMPLETED", 2, 5)]))).toEqual(["b COMPLETED"]);
});

test("a node that failed may begin again; what is older than its end is no news", () => {
  const told = new Map([["a", change("a", "FAILED", 1, 4)]]);
  expect(tellInOrder(told, [change("a", "EXECUTING", 2)])).toEqual([]);
  expect(tellInOrder(told, [change("a", "COMPLETED", 1, 6)])).toEqual([]);
  expect(brief(tellInOrder(told, [change("a", "COMPLETED", 5, 6)]))).toEqual(["a EXECUTING", "a COMPLETED"]);
});

test("a change is told without what else its record holds", () => {
  const record = { ...change("a", "COMPLETED", 1, 2), output: { secret: 1 } };
  expect(toNodeChange(record)).toEqual(change("a", "COMPLETED", 1, 2));
});
