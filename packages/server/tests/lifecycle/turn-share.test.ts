import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { TurnShare } from "../../src/lifecycle/turn-share.ts";

const most = 1_048_576;

it("a turn has room for as many that wait as it can read of", async () => {
  const share = new TurnShare({ most, each: 65_536 });
  expect([share.take(most - 1), share.take(1)]).toEqual([true, false]);
  let resumed = 0;
  for (let at = 0; at < 20; at += 1) share.whenRoom(() => void (resumed += 1));
  expect(resumed).toBe(0);
  await nextTurn();
  expect(resumed).toBe(16);
  await nextTurn();
  expect(resumed).toBe(20);
  share.whenRoom(() => void (resumed += 1));
  expect(resumed).toBe(21);
});

it("counts what those that went on have taken", async () => {
  const share = new TurnShare({ most: 100, each: 1 });
  share.take(100);
  let resumed = 0;
  for (let at = 0; at < 5; at += 1) {
    share.whenRoom(() => {
      share.take(60);
      resumed += 1;
    });
  }
  await nextTurn();
  expect(resumed).toBe(2);
  await nextTurn();
  expect(resumed).toBe(4);
});
