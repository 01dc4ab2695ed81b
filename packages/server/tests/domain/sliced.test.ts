import { expect, test } from "vitest";
import { driveSliced, type Sliced } from "../../src/domain/sliced.ts";

/** Counts, gives others a turn after each step, and asks for one value on the way. */
function* work(asked: Promise<number>): Sliced<number> {
  yield;
  const value = (yield asked) as number;
  yield;
  return value + 1;
}

function* plain(): Sliced<string> {
  yield;
  yield;
  return "done";
}

test("work that fits into the slice ends within the call", () => {
  expect(driveSliced(plain(), () => undefined)).toBe("done");
});

test("work waits where others have their turn, and for the values it asks for", async () => {
  let turns = 0;
  const giveWay = () => Promise.resolve(turns++);
  expect(await driveSliced(work(Promise.resolve(41)), giveWay)).toBe(42);
  expect(turns).toBe(2);
  expect(await driveSliced(work(Promise.resolve(1)), () => undefined)).toBe(2);
});

test("work that has become pointless ends where it gave way", async () => {
  await expect(driveSliced(plain(), () => Promise.reject(new Error("canceled")))).rejects.toThrow("canceled");
});
