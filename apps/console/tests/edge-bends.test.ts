import { expect, it } from "vitest";
import { bendFinder } from "../src/graph/bend.ts";

const box = (x: number, y: number) => ({ x, y, width: 100, height: 50 });

it("an edge turns aside where it runs through the fewest other nodes", () => {
  const nodes = ["a", "below", "beside", "end"].map((id) => ({ id }));
  const bend = (boxes: Record<string, ReturnType<typeof box>>) =>
    bendFinder(nodes, new Map(Object.entries(boxes)))("a", "end", 0.5);
  const a = box(0, 0);
  expect(bend({ a, end: box(300, 90) })).toBeUndefined();
  expect(bend({ a, end: box(300, 400) })).toBeUndefined();
  expect(bend({ a, below: box(0, 100), end: box(300, 400) })).toBe("source");
  expect(bend({ a, beside: box(300, 250), end: box(300, 400) })).toBe("target");
  // Both ways are barred: it is left where it is.
  const barred = { below: box(0, 100), beside: box(300, 100) };
  expect(bend({ a, ...barred, end: box(300, 400) })).toBeUndefined();
  expect(bend({ a, below: box(150, 190), end: box(300, 400) })).toBe("source");
});

it("nodes in other containers bar no way", () => {
  const nodes = [{ id: "a" }, { id: "end" }, { id: "inner", parentId: "loop" }];
  const boxes = new Map([
    ["a", box(0, 0)],
    ["inner", box(0, 100)],
    ["end", box(300, 400)],
  ]);
  expect(bendFinder(nodes, boxes)("a", "end", 0.5)).toBeUndefined();
  expect(bendFinder(nodes, boxes)("a", "inner", 0.5)).toBeUndefined();
  expect(bendFinder(nodes, boxes)("a", "nobody", 0.5)).toBeUndefined();
});
