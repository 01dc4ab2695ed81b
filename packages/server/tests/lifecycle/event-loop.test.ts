import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { EventLoop } from "../../src/lifecycle/event-loop.ts";

/** An event loop over a clock that only moves when work is done. */
function makeLoop() {
  let nowMs = 0;
  const eventLoop = new EventLoop(() => nowMs);
  const did: string[] = [];
  const work = (name: string, ms = 25) => {
    did.push(name);
    nowMs += ms;
  };
  return { eventLoop, did, work };
}

describe("the event loop", () => {
  test("lets work go on within the slice, and makes it wait when the slice is over", async () => {
    const { eventLoop, work } = makeLoop();
    expect(eventLoop.giveWay("a")).toBeUndefined();
    work("first");
    const wait = eventLoop.giveWay("a");
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    expect(eventLoop.giveWay("a")).toBeUndefined();
  });

  test("goes round by organization, however much one of them has waiting", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    for (const name of ["a1", "a2", "a3"]) eventLoop.queue("a", () => work(name));
    eventLoop.queue("b", () => work("b1"));
    eventLoop.queue("c", () => work("c1"));
    while (did.length < 6) await nextLoop();
    expect(did.slice(1)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
  });

  test("serves a newcomer next, and one that comes after it after it", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    const goOn = (at: number) => {
      work(`heavy ${at}`);
      if (at === 3) for (const name of ["b", "c"]) eventLoop.queue(name, () => work(name));
      if (at < 8) eventLoop.queue("heavy", () => goOn(at + 1));
    };
    eventLoop.queue("heavy", () => goOn(1));
    while (did.length < 11) await nextLoop();
    expect(did.slice(3, 7)).toEqual(["heavy 3", "b", "c", "heavy 4"]);
  });

  test("lets sockets and timers in after each slice", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    for (let at = 0; at < 5; at += 1) eventLoop.queue("a", () => work(`a${at}`));
    const loops: number[] = [];
    while (did.length < 6) {
      await nextLoop();
      loops.push(did.length);
    }
    // Never more than one long piece of work between two looks at the rest of the world.
    for (const [at, count] of loops.entries()) expect(count - (loops[at - 1] ?? 1)).toBeLessThanOrEqual(1);
  });

  test("does many small things by organization, before what else that has waiting", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    eventLoop.queue("a", () => work("a later"));
    for (let at = 0; at < 40; at += 1) eventLoop.inTurn("a", 1, () => work("a", 1));
    eventLoop.inTurn("b", 1, () => work("b", 1));
    while (did.length < 43) await nextLoop();
    expect(did.slice(0, 4)).toEqual(["slice", "a", "b", "a"]);
    expect(did.at(-1)).toBe("a later");
  });

  test("does as many of them at once as the slice has room for", async () => {
    const { eventLoop, did, work } = makeLoop();
    for (let at = 0; at < 40; at += 1) eventLoop.inTurn("a", 1, () => work(`${at}`, 0));
    expect(did).toHaveLength(21);
    while (did.length < 40) await nextLoop();
    expect(did.map(Number)).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  test("stands back for a look at the sockets where one of them took a whole slice", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("a large answer");
    eventLoop.queue("a", () => work("a"));
    await nextLoop();
    expect(did).toEqual(["a large answer"]);
    await nextLoop();
    expect(did).toEqual(["a large answer", "a"]);
  });

  test("stands back once, so that sockets which always take a slice do not keep others waiting", async () => {
    const { eventLoop, did, work } = makeLoop();
    for (let at = 0; at < 20; at += 1) {
      eventLoop.isSliceOver();
      work("a large answer");
      if (at === 0) eventLoop.queue("a", () => work("a"));
      await nextLoop();
    }
    expect(did).toContain("a");
  });

  test("counts what those who go on have ahead of them", async () => {
    const { eventLoop } = makeLoop();
    const waits = Array.from({ length: 500 }, () => eventLoop.giveWay("a", 0.1));
    const goOn = waits.filter((wait) => wait === undefined).length;
    expect(goOn).toBeGreaterThan(0);
    expect(goOn).toBeLessThan(250);
    let resumed = 0;
    for (const wait of waits) void wait?.then(() => (resumed += 1));
    await nextLoop();
    expect(resumed).toBeGreaterThan(0);
    expect(resumed).toBeLessThan(250);
    while (resumed + goOn < waits.length) await nextLoop();
  });

  test("does many short pieces of work in one slice", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    for (let at = 0; at < 30; at += 1) eventLoop.queue("a", () => work(`a${at}`, 0.01));
    await nextLoop();
    await nextLoop();
    expect(did.length).toBe(31);
  });

  test("makes slices short for a while where one piece of work has used up a whole one", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    eventLoop.queue("a", () => work("long"));
    while (did.length < 2) await nextLoop();
    await nextLoop();
    expect(eventLoop.isSliceOver()).toBe(false);
    work("short", 2);
    expect(eventLoop.isSliceOver()).toBe(true);
  });

  test("counts what a resumed Promise sets going", async () => {
    const { eventLoop, did, work } = makeLoop();
    eventLoop.isSliceOver();
    work("slice");
    const task = async (name: string) => {
      await eventLoop.giveWay("a");
      work(name);
    };
    const tasks = ["a", "b", "c"].map(task);
    await nextLoop();
    await nextLoop();
    expect(did.length).toBeLessThan(4);
    await Promise.all(tasks);
    expect(did).toEqual(["slice", "a", "b", "c"]);
  });

  test("lets those who wait rest after each slice while somebody who does not is served", async () => {
    const { eventLoop, did, work } = makeLoop();
    const goOn = () => {
      work("heavy", 2);
      eventLoop.queue("heavy", goOn);
    };
    const slicesIn = async (loops: number) => {
      const before = did.length;
      for (let at = 0; at < loops; at += 1) await nextLoop();
      return did.length - before;
    };
    eventLoop.isSliceOver();
    work("slice");
    eventLoop.queue("heavy", () => {
      work("long");
      eventLoop.queue("heavy", goOn);
    });
    await slicesIn(4);
    expect(await slicesIn(10)).toBeGreaterThan(8);
    // Its own requests do not make it rest: nobody else is there.
    eventLoop.notice("heavy");
    expect(await slicesIn(10)).toBeGreaterThan(8);
    eventLoop.notice("light");
    expect(await slicesIn(10)).toBeLessThan(5);
    work("the light one has not come again for long", 300);
    while ((await slicesIn(10)) < 8);
  });
});
