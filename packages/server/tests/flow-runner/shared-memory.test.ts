import { expect, test } from "vitest";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

const start = node("start", "start");
const text = "x".repeat(10_000);

/** What a run holds, and the most that it ever held. */
function counted() {
  const count = { bytes: 0, mostBytes: 0 };
  return {
    count,
    add: (bytes: number) => {
      count.bytes += bytes;
      count.mostBytes = Math.max(count.mostBytes, count.bytes);
    },
    room: () => undefined,
  };
}

test("what nodes were given and have made is counted until the run ends", async () => {
  const memory = counted();
  const set = (id: string) => node(id, "set", { values: { text: `${id}{{ data.text }}` } });
  const flow = graphOf([start, set("a"), set("b")], "start a \n a b");
  await run(flow, { memory, data: { text } });
  // Two texts, each of which a node was given and passes on.
  expect(memory.count.mostBytes).toBeGreaterThan(20_000);
  expect(memory.count.mostBytes).toBeLessThan(21_000);
  expect(memory.count.bytes).toBeLessThan(11_000);
});

test("what a round has made is counted until the round ends, its result until the loop does", async () => {
  const memory = counted();
  const flow = graphOf(
    [
      start,
      node("loop", "for-each", { items: "{{ data.list }}" }),
      inside("loop", node("make", "set", { values: { text: "{{ item }}{{ data.text }}" } })),
      inside("loop", node("keep", "set", { values: { size: 1 } })),
      node("end", "set", { values: { done: true } }),
    ],
    "start loop \n make keep \n loop:done end",
  );
  const list = Array.from({ length: 100 }, (_, at) => at);
  const { outcome } = await run(flow, { memory, data: { text, list } });
  expect(outcome.kind).toBe("completed");
  // One round at a time, and 100 results of a few bytes.
  expect(memory.count.mostBytes).toBeLessThan(60_000);
});

test("a run that may hold no more goes on when it may, before the next node", async () => {
  const began: string[] = [];
  const wait = Promise.withResolvers<void>();
  let held = 0;
  let asked = 0;
  const memory = {
    add: (bytes: number) => (held += bytes),
    room: () => {
      if (held < 10_000 || asked > 0) return undefined;
      asked += 1;
      // What has begun by then has begun before the wait.
      setTimeout(() => {
        began.push("room");
        wait.resolve();
      }, 20);
      return wait.promise;
    },
  };
  const set = (id: string) => node(id, "set", { values: { text: "{{ data.text }}" } });
  const flow = graphOf([start, set("a"), set("b")], "start a \n a b");
  const { outcome } = await run(flow, {
    memory,
    data: { text },
    onNode: ({ nodeKey, status }) => status === "EXECUTING" && began.push(nodeKey),
  });
  expect(outcome.kind).toBe("completed");
  expect(began).toEqual(["start", "a", "room", "b"]);
});
