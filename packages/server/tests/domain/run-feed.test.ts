import { expect, it } from "vitest";
import { RunFeed } from "../../src/domain/run-feed.ts";

const run = (id: string, status = "WAITING") => ({ id, flowId: "flow_a", status, updatedAt: new Date(0) });

it("tells who is behind each run once, as it is now", () => {
  const feed = new RunFeed("a", 100);
  feed.add([run("x"), run("y")]);
  const seen = feed.latest;
  feed.add([]);
  expect([feed.latest, feed.after(seen)]).toEqual([seen, []]);
  feed.add([run("x", "EXECUTING")]);
  feed.add([run("z"), run("x", "COMPLETED")]);
  expect(feed.after(seen)).toEqual([run("x", "COMPLETED"), run("z")]);
  expect(feed.after(feed.latest - 1)).toEqual([run("z"), run("x", "COMPLETED")]);
});

it("keeps a bounded number of changes, the last batch always, and says where it cannot tell", () => {
  const feed = new RunFeed("a", 4);
  for (let at = 0; at < 10; at += 1) feed.add([run(`a${at}`), run(`b${at}`)]);
  expect(feed.after(feed.latest - 2)).toHaveLength(4);
  expect([feed.after(feed.latest - 3), feed.after(Number.NaN), feed.after(99)]).toEqual(
    Array(3).fill(undefined),
  );
  const many = Array.from({ length: 50 }, (_, at) => run(`c${at}`));
  feed.add(many);
  expect(feed.after(feed.latest - 1)).toBe(many);
});
