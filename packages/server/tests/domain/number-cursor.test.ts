import { expect, it } from "vitest";
import { toPageRequest } from "../../src/domain/cursor.ts";
import { cursorsOf, toNumber } from "../../src/domain/number-cursor.ts";

const page = (query: object = {}) => toPageRequest("a", { "page[size]": 2, ...query });

it("leads from number to number, onward and back", () => {
  const onward = cursorsOf(page(), { first: 1, last: 2, hasMore: true });
  expect([toNumber(page()), onward.prev]).toEqual([undefined, undefined]);
  const second = page({ "page[after]": onward.next });
  expect(toNumber(second)).toBe(2);
  const last = cursorsOf(second, { first: 3, last: 4, hasMore: false });
  expect(last.next).toBeUndefined();
  const back = page({ "page[before]": last.prev });
  expect(toNumber(back)).toBe(3);
  const first = cursorsOf(back, { first: 1, last: 2, hasMore: false });
  expect([first.prev, first.next !== undefined]).toEqual([undefined, true]);
  expect(cursorsOf(back, { first: 2, last: 2, hasMore: true }).prev).toBeDefined();
});
