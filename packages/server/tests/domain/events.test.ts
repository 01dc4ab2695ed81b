import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FeedQueue, type FeedItem, type LoggedEvent } from "../../src/domain/events/feed-queue.ts";
import { Pace } from "../../src/domain/events/pace.ts";
import { SendSlots } from "../../src/operations/events/send-slots.ts";

function logged(position: number, runId: string | null, id: string): LoggedEvent {
  return { position, runId, id, type: "run.created", at: new Date(0), data: {} };
}

describe("the queue of a feed", () => {
  it("never begins an event while an earlier one of its run is under way, and never says more was tried than was", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 3 })), { maxLength: 40 }),
        fc.array(fc.nat(10), { maxLength: 200 }),
        (entries, choices) => {
          const queue = new FeedQueue(0);
          const events = entries
            .map(([position, run], at) => logged(position, run === 0 ? null : `run_${run}`, `evt_${at}`))
            .sort((a, b) => a.position - b.position);
          queue.addLog(events, 6);
          const underWay: FeedItem[] = [];
          const ended: FeedItem[] = [];
          const began: FeedItem[] = [];
          for (const choice of choices) {
            const item = choice < 6 ? queue.next() : undefined;
            if (item) {
              const { runId } = item.event;
              expect(underWay.some(({ event }) => runId !== null && event.runId === runId)).toBe(false);
              underWay.push(item);
              began.push(item);
            } else if (underWay.length > 0) {
              const [done] = underWay.splice(choice % underWay.length, 1);
              queue.ended(done!);
              ended.push(done!);
            }
            const open = events.filter((event) => !ended.some((item) => item.event === event));
            const first = Math.min(...open.map(({ position }) => position));
            expect(queue.triedUpTo).toBe(open.length === 0 ? 6 : first - 1);
          }
          for (const run of ["run_1", "run_2", "run_3"]) {
            const order = began.filter(({ event }) => event.runId === run).map(({ event }) => event);
            expect(order).toEqual(events.filter(({ runId }) => runId === run).slice(0, order.length));
          }
        },
      ),
    );
  });

  it("keeps the events of a run in order, and two of one place in the log until both were tried", () => {
    const queue = new FeedQueue(0);
    queue.addLog([logged(1, "run_1", "a"), logged(1, "run_1", "b"), logged(2, "run_2", "c")], 2);
    const [a, c] = [queue.next()!, queue.next()!];
    expect([a, c].map(({ event }) => event.id)).toEqual(["a", "c"]);
    expect(queue.next()).toBeUndefined();
    queue.ended(a);
    const b = queue.next()!;
    expect([b.event.id, queue.triedUpTo]).toEqual(["b", 0]);
    queue.ended(b);
    queue.ended(c);
    expect(queue.triedUpTo).toBe(2);
  });

  it("has retries only while the log has nothing more, and a retry that ended leaves the log's place alone", () => {
    const queue = new FeedQueue(3);
    queue.addLog([logged(4, null, "a")], 4);
    const first = queue.next()!;
    queue.addDue([{ event: logged(0, null, "x"), attempts: 1 }]);
    const retry = queue.next()!;
    queue.addDue([{ event: logged(0, null, "y"), attempts: 1 }]);
    expect([first, retry, queue.next()!].map(({ event }) => event.id)).toEqual(["a", "x", "y"]);
    queue.ended(retry);
    expect([queue.triedUpTo, queue.readUpTo]).toEqual([3, 4]);
    queue.ended(first);
    expect(queue.triedUpTo).toBe(4);
    expect([queue.waitsForLog, queue.waitsForRetries]).toEqual([true, true]);
  });

  it("takes retries and first attempts in turn, and none twice at once", () => {
    const queue = new FeedQueue(0);
    queue.addLog([logged(1, null, "a"), logged(2, null, "b")], 2);
    const due = [logged(0, null, "x"), logged(0, null, "y")].map((event) => ({ event, attempts: 1 }));
    queue.addDue(due);
    const first = queue.next()!;
    queue.addDue(due.slice(0, 1));
    const order = [first, queue.next()!, queue.next()!, queue.next()!].map(({ event }) => event.id);
    expect(order).toEqual(["x", "a", "y", "b"]);
    expect(queue.next()).toBeUndefined();
  });
});

describe("the pace of an endpoint", () => {
  const good = { delivered: true, status: 204, durationMs: 5 };
  const bad = { delivered: false, status: 500, durationMs: 5 };

  it("is one at a time until it has shown that it answers", () => {
    const pace = new Pace({ failuresInRow: 0, proven: false });
    expect(pace.maxInFlight(0)).toBe(1);
    pace.note(good, 0);
    expect(pace.maxInFlight(0)).toBe(4);
    pace.note({ ...good, durationMs: 14_000 }, 0);
    expect(pace.maxInFlight(0)).toBe(1);
  });

  it("pauses longer and longer while everything fails, two seconds at most, and not for single failures", () => {
    const pace = new Pace({ failuresInRow: 0, proven: true });
    for (let at = 0; at < 4; at++) pace.note(bad, 0);
    expect([pace.pauseMs(0), pace.maxInFlight(0)]).toEqual([0, 4]);
    const pauses = Array.from({ length: 6 }, () => {
      pace.note(bad, 0);
      return pace.pauseMs(0);
    });
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
    expect(pace.maxInFlight(0)).toBe(1);
    pace.note(good, 0);
    expect(pace.failuresInRow).toBe(0);
  });

  it("is one at a time for a minute where the receiver is overloaded", () => {
    const pace = new Pace({ failuresInRow: 0, proven: true });
    pace.note({ ...bad, status: 429 }, 1_000);
    pace.note(good, 2_000);
    expect(pace.maxInFlight(2_000)).toBe(1);
    expect(pace.maxInFlight(61_000)).toBe(4);
  });
});

/** Slots of a process, and who has begun in which order. */
function slotsWithOrder(most: number) {
  const slots = new SendSlots(most);
  const begun: string[] = [];
  const take = (organizationId: string, name: string, swift: boolean) =>
    slots.take(organizationId, swift).then((giveBack) => {
      begun.push(name);
      return giveBack;
    });
  return { begun, take };
}

it("slots are kept for receivers that answer well, however many others hang", async () => {
  const { begun, take } = slotsWithOrder(6);
  const hanging = [1, 2, 3, 4].map((at) => take(`org_${at}`, `slow ${at}`, false));
  const swift = [1, 2, 3, 4].map((at) => take(`org_swift_${at}`, `swift ${at}`, true));
  const giveBack = await swift[1]!;
  await swift[2];
  expect(begun.toSorted()).toEqual(["slow 1", "slow 2", "slow 3", "swift 1", "swift 2", "swift 3"]);
  giveBack();
  await swift[3];
  (await hanging[0]!)();
  await hanging[3];
  expect(begun.slice(6)).toEqual(["swift 4", "slow 4"]);
});

it("slots are kept for organizations that have none, however many one organization wants", async () => {
  const { begun, take } = slotsWithOrder(8);
  const greedy = Array.from({ length: 20 }, (_, at) => take("org_bad", `bad ${at}`, true));
  await greedy[5];
  await take("org_good", "good", true);
  await take("org_new", "new", false);
  expect(begun).toEqual([...[0, 1, 2, 3, 4, 5].map((at) => `bad ${at}`), "good", "new"]);
  for (const one of greedy) (await one)();
});

it("a receiver that fails slowly is no swift one any more, also after its first failure", () => {
  const pace = new Pace({ failuresInRow: 0, proven: true });
  pace.note({ delivered: false, durationMs: 10 }, 0);
  expect(pace.swift).toBe(true);
  pace.note({ delivered: false, durationMs: 2_000 }, 0);
  expect([pace.swift, pace.failuresInRow]).toEqual([false, 2]);
});
