import { expect, it } from "vitest";
import { toPageRequest } from "../../src/domain/cursor.ts";
import { pageById } from "../../src/domain/page-by-id.ts";

const items = ["d", "b", "e", "a", "c"].map((id) => ({ id }));
const page = (query: { "page[after]"?: string; "page[before]"?: string }) =>
  pageById(toPageRequest("things", { "page[size]": 2, ...query }), items);
const ids = ({ items: shown }: ReturnType<typeof page>) => shown.map(({ id }) => id).join("");

it("a short list is read page by page in both directions", () => {
  const first = page({});
  const second = page({ "page[after]": first.next! });
  const third = page({ "page[after]": second.next! });
  expect([first, second, third].map(ids)).toEqual(["ab", "cd", "e"]);
  expect([first.prev, third.next]).toEqual([undefined, undefined]);
  expect(ids(page({ "page[before]": third.prev! }))).toBe("cd");
  expect(ids(page({ "page[before]": second.prev! }))).toBe("ab");
  expect(pageById(toPageRequest("things", { "page[size]": 2 }), [])).toEqual({ items: [] });
});
