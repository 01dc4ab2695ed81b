import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import { FairQueue } from "../../src/domain/fair-queue.ts";
import { FairShare } from "../../src/domain/fair-share.ts";

function takeAll(share: FairShare, organizationIds: readonly string[]): void {
  for (let taken = true; taken;) {
    taken = false;
    for (const id of organizationIds) taken = share.take(id) || taken;
  }
}

it.each([
  [1, 256, 192],
  [2, 256, 110],
  [4, 256, 60],
  [1, 2_000, 1_500],
  [1, 2, 1],
  [1, 3, 2],
  [1, 1, 1],
])("%i that want all of %i places get %i each", (count, capacity, each) => {
  const share = new FairShare(capacity);
  const ids = Array.from({ length: count }, (_, at) => `org_${at}`);
  takeAll(share, ids);
  for (const id of ids) expect(Math.abs(share.heldBy(id) - each)).toBeLessThanOrEqual(1);
  if (capacity > 1) expect(share.take("org_new")).toBe(true);
});

it("whoever holds nothing gets a place beside any number of hostile ones, as long as there are as many places", () => {
  assert(
    property(integer({ min: 2, max: 300 }), integer({ min: 1, max: 40 }), (capacity, hostile) => {
      const share = new FairShare(capacity);
      const ids = Array.from({ length: hostile }, (_, at) => `org_${at}`);
      takeAll(share, ids);
      expect(share.take("org_new")).toBe(hostile < capacity);
    }),
  );
});

it("room is exactly how often a place is given, and what is given back can be taken again", () => {
  const steps = array(record({ id: constantFrom("a", "b", "c", "d"), takes: boolean() }), {
    maxLength: 200,
  });
  assert(
    property(integer({ min: 1, max: 60 }), steps, (capacity, moves) => {
      const share = new FairShare(capacity);
      for (const { id, takes } of moves) {
        if (takes) expect(share.roomFor(id) > 0).toBe(share.take(id));
        else if (share.heldBy(id) > 0) share.giveBack(id);
        expect(share.used).toBeLessThanOrEqual(capacity);
      }
      const room = share.roomFor("a");
      let given = 0;
      while (share.take("a")) given += 1;
      expect(given).toBe(room);
      for (const id of ["a", "b", "c", "d"]) while (share.heldBy(id) > 0) share.giveBack(id);
      expect([share.used, share.free]).toEqual([0, capacity]);
    }),
  );
});

it("gives back only what is held", () => {
  expect(() => new FairShare(1).giveBack("a")).toThrow("a holds no place");
});

it("says who may take how many more", () => {
  const share = new FairShare(8);
  while (share.take("a"));
  share.take("b");
  expect(share.rooms()).toEqual({ newcomer: 1, greed: 3, organizationIds: ["a", "b"], rooms: [0, 0] });
  expect(share.limitsSomebody).toBe(true);
  share.giveBack("b");
  for (let count = 0; count < 3; count++) share.giveBack("a");
  expect(share.limitsSomebody).toBe(false);
});

const job = (organizationId: string, name: string) => ({ organizationId, name });

it("the organization that holds the fewest places is next, and equals take turns", () => {
  const share = new FairShare(100);
  const queue = new FairQueue<ReturnType<typeof job>>();
  for (const at of [1, 2, 3, 4]) queue.add(job("a", `a${at}`));
  for (const at of [1, 2]) queue.add(job("b", `b${at}`));
  const served: string[] = [];
  const serve = () => served.push(queue.next(share)!.name);
  serve();
  serve();
  queue.add(job("c", "c1"));
  for (let count = 0; count < 5; count++) serve();
  expect(served).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  expect(queue.next(share)).toBeUndefined();
});

it("one that has its share waits, whoever comes later and holds nothing does not", () => {
  const share = new FairShare(4);
  const queue = new FairQueue<ReturnType<typeof job>>();
  for (const at of [1, 2, 3, 4]) queue.add(job("a", `a${at}`));
  const served: string[] = [];
  for (let next = queue.next(share); next; next = queue.next(share)) served.push(next.name);
  expect(served).toEqual(["a1", "a2", "a3"]);
  queue.add(job("b", "b1"));
  expect(queue.next(share)?.name).toBe("b1");
  share.giveBack("a");
  expect(queue.next(share)).toBeUndefined();
  share.giveBack("b");
  expect(queue.next(share)?.name).toBe("a4");
  expect(queue.size).toBe(0);
});

it("urgent jobs of an organization go before its others, which are not forgotten", () => {
  const share = new FairShare(100);
  const queue = new FairQueue<{ organizationId: string; name: string; isUrgent?: boolean }>();
  for (const name of ["a1", "a2"]) queue.add(job("a", name));
  queue.add(job("b", "b1"));
  for (const name of ["u1", "u2", "u3", "u4", "u5"]) queue.add({ ...job("a", name), isUrgent: true });
  const served: string[] = [];
  for (let next = queue.next(share); next; next = queue.next(share)) served.push(next.name);
  expect(served).toEqual(["u1", "b1", "u2", "u3", "a1", "u4", "u5", "a2"]);
});

it("what is removed or held back is not served", () => {
  const share = new FairShare(4);
  const queue = new FairQueue<ReturnType<typeof job>>();
  const [first, second] = [job("a", "a1"), job("a", "a2")];
  queue.add(first);
  queue.add(second);
  queue.add(job("b", "b1"));
  expect([queue.remove(first), queue.remove(first)]).toEqual([true, false]);
  expect(queue.next(share, (id) => id !== "a")?.name).toBe("b1");
  expect(queue.next(share, (id) => id !== "a")).toBeUndefined();
  expect(queue.drain()).toEqual([second]);
  expect(queue.size).toBe(0);
});

it("a queue knows how many of an organization wait", () => {
  const queue = new FairQueue<{ organizationId: string }>();
  queue.add({ organizationId: "org_a" });
  queue.add({ organizationId: "org_a" });
  expect([queue.waitingOf("org_a"), queue.waitingOf("org_b")]).toEqual([2, 0]);
});
