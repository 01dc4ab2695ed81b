import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { LargeArrivals } from "../../src/storage/large-arrivals.ts";

const LARGE = 2_000_000;

function begin(arrivals: LargeArrivals, bytes = LARGE) {
  const stream = new PassThrough().resume();
  const end = arrivals.begin(bytes, stream);
  return { stream, end, waits: () => stream.isPaused() };
}

describe("large messages of the database", () => {
  it("come in two at a time, however many have begun", () => {
    const arrivals = new LargeArrivals();
    const [first, second, third, fourth] = Array.from({ length: 4 }, () => begin(arrivals));
    expect([first, second, third, fourth].map((each) => each!.waits())).toEqual([false, false, true, true]);
    first!.end();
    first!.end();
    expect([third, fourth].map((each) => each!.waits())).toEqual([false, true]);
    second!.end();
    expect(fourth!.waits()).toBe(false);
  });

  it("make room when their connection is lost, whether they have begun or wait", async () => {
    const arrivals = new LargeArrivals();
    const [first, , third, fourth] = Array.from({ length: 4 }, () => begin(arrivals));
    const lost = (stream: PassThrough) =>
      new Promise<void>((resolve) => stream.destroy().once("close", resolve));
    await lost(third!.stream);
    await lost(first!.stream);
    expect(fourth!.waits()).toBe(false);
  });

  it("do not count where they are small", () => {
    const arrivals = new LargeArrivals();
    for (let count = 0; count < 10; count += 1) expect(begin(arrivals, 100_000).waits()).toBe(false);
    expect(begin(arrivals).waits()).toBe(false);
  });
});
