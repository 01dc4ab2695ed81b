import { expect, it } from "vitest";
import type { NodeRecord } from "../../src/engine/flow-runner/run-types.ts";
import { type RecordOnItsWay, writePortions } from "../../src/engine/write-large.ts";

const MEGABYTE = 1_000_000;
const records = Array.from({ length: 6 }, (_, at) => {
  const output = { text: String(at).repeat(MEGABYTE) };
  return { nodeKey: `n${at}`, type: "set", status: "COMPLETED", output } as unknown as NodeRecord;
});
/** Of what is short Node keeps a pool: that is nobody's to give back. */
const bytesOf = (portion: readonly RecordOnItsWay[]) =>
  portion
    .flatMap(({ written }) => written?.pieces ?? [])
    .filter(({ byteLength }) => byteLength > Buffer.poolSize)
    .reduce((sum, { byteLength }) => sum + byteLength, 0);

it("what a large run holds is written two megabytes at a time, and each portion gives its memory back", async () => {
  const portions: (readonly RecordOnItsWay[])[] = [];
  for await (const portion of writePortions("org", records)) {
    expect(bytesOf(portion)).toBeGreaterThan(MEGABYTE);
    expect(portions.map(bytesOf)).toEqual(portions.map(() => 0));
    portions.push(portion);
  }
  expect(portions.flat().map(({ nodeKey }) => nodeKey)).toEqual(records.map(({ nodeKey }) => nodeKey));
  expect(portions.length).toBeGreaterThan(2);
  expect(portions.map(bytesOf)).toEqual(portions.map(() => 0));
});

it("also where it cannot be saved", async () => {
  const portions: (readonly RecordOnItsWay[])[] = [];
  const saving = (async () => {
    for await (const portion of writePortions("org", records)) {
      portions.push(portion);
      if (portions.length === 2) throw new Error("canceled");
    }
  })();
  await expect(saving).rejects.toThrow("canceled");
  expect(portions.map(bytesOf)).toEqual([0, 0]);
});

it("of small records a portion has at most two thousand", async () => {
  const small = { nodeKey: "n", type: "set", status: "COMPLETED", output: {} } as unknown as NodeRecord;
  const lengths: number[] = [];
  for await (const portion of writePortions(
    "org",
    Array.from({ length: 4_500 }, () => small),
  ))
    lengths.push(portion.length);
  expect(lengths).toEqual([2_000, 2_000, 500]);
});
