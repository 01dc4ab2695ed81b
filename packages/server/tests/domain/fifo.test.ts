import { expect, test } from "vitest";
import { Fifo } from "../../src/domain/fifo.ts";

test("gives items back in the order they came, whatever is added in between", () => {
  const fifo = new Fifo<number>();
  const taken: (number | undefined)[] = [];
  for (let at = 0; at < 1_000; at += 1) {
    fifo.add(at);
    if (at % 3 === 2) taken.push(fifo.take(), fifo.take());
  }
  while (fifo.size > 0) taken.push(fifo.take());
  expect(taken).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  expect(fifo.take()).toBeUndefined();
});
