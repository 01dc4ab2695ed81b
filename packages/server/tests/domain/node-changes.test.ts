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
  expect(brief(tellInOrder(told, { stored: first }))).toEqual(["a EXECUTING", "b EXECUTING", "a COMPLETED"]);
  expect(tellInOrder(told, { stored: first })).toEqual([]);
  expect(brief(tellInOrder(told, { stored: [change("b", "PAUSED", 2)] }))).toEqual(["b PAUSED"]);
  expect(tellInOrder(told, { stored: [change("b", "PAUSED", 2)] })).toEqual([]);
  expect(brief(tellInOrder(told, { stored: [change("b", "COMPLETED", 2, 5)] }))).toEqual(["b COMPLETED"]);
});

test("a node that failed may begin again; what is older than its end is no news", () => {
  const told = new Map([["a", change("a", "FAILED", 1, 4)]]);
  expect(tellInOrder(told, { stored: [change("a", "EXECUTING", 2)] })).toEqual([]);
  expect(tellInOrder(told, { stored: [change("a", "COMPLETED", 1, 6)] })).toEqual([]);
  expect(brief(tellInOrder(told, { stored: [change("a", "COMPLETED", 5, 6)] }))).toEqual([
    "a EXECUTING",
    "a COMPLETED",
  ]);
});

test("what happens now is told as it comes, and a wait that a run comes to once more is no news", () => {
  const told = new Map([["ask", change("ask", "PAUSED", 1)]]);
  const live = [change("ask", "EXECUTING", 7), change("ask", "COMPLETED", 1, 5), change("b", "EXECUTING", 8)];
  expect(brief(tellInOrder(told, { live }))).toEqual(["ask COMPLETED", "b EXECUTING"]);
  const late = tellInOrder(new Map(), { stored: [change("ask", "PAUSED", 1)], live });
  expect(brief(late)).toEqual(["ask EXECUTING", "ask PAUSED", "ask COMPLETED", "b EXECUTING"]);
});

test("a change is told without what else its record holds", () => {
  const record = { ...change("a", "COMPLETED", 1, 2), output: { secret: 1 } };
  expect(toNodeChange(record)).toEqual(change("a", "COMPLETED", 1, 2));
});
