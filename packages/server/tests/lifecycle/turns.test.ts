import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Turns } from "../../src/lifecycle/turns.ts";

/** Turns over a clock that only moves when work is done. */
function makeTurns() {
  let nowMs = 0;
  const turns = new Turns(() => nowMs);
  const did: string[] = [];
  const work = (name: string, ms = 5) => {
    did.push(name);
    nowMs += ms;
  };
  return { turns, did, work };
}

describe("turns", () => {
  test("let work go on within the slice, and make it wait when the slice is over", async () => {
    const { turns, work } = makeTurns();
    expect(turns.giveWay("a")).toBeUndefined();
    work("first");
    const wait = turns.giveWay("a");
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    expect(turns.giveWay("a")).toBeUndefined();
  });

  test("go round by organization, however much one of them has waiting", async () => {
    const { turns, did, work } = makeTurns();
    turns.isOver();
    work("slice");
    for (const name of ["a1", "a2", "a3"]) turns.queue("a", () => work(name));
    turns.queue("b", () => work("b1"));
    turns.queue("c", () => work("c1"));
    while (did.length < 6) await nextLoop();
    expect(did.slice(1)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
  });

  test("serve a newcomer next, and one that comes after it after it", async () => {
    const { turns, did, work } = makeTurns();
    turns.isOver();
    work("slice");
    const goOn = (at: number) => {
      work(`heavy ${at}`);
      if (at === 3) for (const name of ["b", "c"]) turns.queue(name, () => work(name));
      if (at < 8) turns.queue("heavy", () => goOn(at + 1));
    };
    turns.queue("heavy", () => goOn(1));
    while (did.length < 11) await nextLoop();
    expect(did.slice(3, 7)).toEqual(["heavy 3", "b", "c", "heavy 4"]);
  });

  test("let sockets and timers in after each slice", async () => {
    const { turns, did, work } = makeTurns();
    turns.isOver();
    work("slice");
    for (let at = 0; at < 5; at += 1) turns.queue("a", () => work(`a${at}`));
    const loops: number[] = [];
    while (did.length < 6) {
      await nextLoop();
      loops.push(did.length);
    }
    // Never more than one long piece of work between two looks at the rest of the world.
    for (const [at, count] of loops.entries()) expect(count - (loops[at - 1] ?? 1)).toBeLessThanOrEqual(1);
  });

  test("do many short pieces of work in one slice", async () => {
    const { turns, did, work } = makeTurns();
    turns.isOver();
    work("slice");
    for (let at = 0; at < 30; at += 1) turns.queue("a", () => work(`a${at}`, 0.1));
    await nextLoop();
    await nextLoop();
    expect(did.length).toBe(31);
  });

  test("count what a resumed Promise sets going", async () => {
    const { turns, did, work } = makeTurns();
    turns.isOver();
    work("slice");
    const task = async (name: string) => {
      await turns.giveWay("a");
      work(name);
    };
    const tasks = ["a", "b", "c"].map(task);
    await nextLoop();
    await nextLoop();
    expect(did.length).toBeLessThan(4);
    await Promise.all(tasks);
    expect(did).toEqual(["slice", "a", "b", "c"]);
  });
});
