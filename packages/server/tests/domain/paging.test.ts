import { describe, expect, it } from "vitest";
import { encodeCursor, toPage, toPageRequest } from "../../src/domain/cursor.ts";
import { IdMaker, idTimeMs } from "../../src/domain/ids.ts";
import { toRunPageRequest } from "../../src/domain/run-filters.ts";

const item = (n: number) => ({ id: `flow_${n}`, createdAt: new Date(n) });
const cursor = (n: number, list = "flows") => encodeCursor(list, item(n));
const size = { "page[size]": 2 };
const issuesOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return (error as { details: unknown }).details;
  }
};

describe("a page", () => {
  it("of the newest has no way back, and a way on where there is more", () => {
    const request = toPageRequest("flows", size);
    expect(toPage(request, [item(3), item(2), item(1)])).toEqual({
      items: [item(3), item(2)],
      next: cursor(2),
    });
    expect(toPage(request, [item(3)])).toEqual({ items: [item(3)] });
    expect(toPage(request, [])).toEqual({ items: [] });
  });

  it("after a cursor has a way back", () => {
    const request = toPageRequest("flows", { ...size, "page[after]": cursor(3) });
    expect(request).toEqual({ list: "flows", size: 2, after: item(3) });
    expect(toPage(request, [item(2)])).toEqual({ items: [item(2)], prev: cursor(2) });
    expect(toPage(request, [])).toEqual({ items: [] });
  });

  it("before a cursor is read upwards and shown downwards", () => {
    const request = toPageRequest("flows", { ...size, "page[before]": cursor(1) });
    expect(toPage(request, [item(2), item(3), item(4)])).toEqual({
      items: [item(3), item(2)],
      next: cursor(2),
      prev: cursor(3),
    });
    expect(toPage(request, [item(2)])).toEqual({ items: [item(2)], next: cursor(2) });
  });
});

describe("a cursor", () => {
  it("is refused where this service has not made it", () => {
    const texts = ["", "garbage", Buffer.from("1.a b.flows").toString("base64url")];
    for (const text of texts) {
      expect(issuesOf(() => toPageRequest("flows", { ...size, "page[after]": text }))).toEqual({
        issues: [{ path: ["page[after]"], message: "is not a cursor of this service" }],
      });
    }
  });

  it("is refused where it is of another list, or written in another way", () => {
    for (const text of [cursor(1, "agents"), `${cursor(1)}=`]) {
      expect(issuesOf(() => toPageRequest("flows", { ...size, "page[before]": text }))).toEqual({
        issues: [{ path: ["page[before]"], message: "is not a cursor of this list" }],
      });
    }
  });

  it("goes in one direction", () => {
    expect(
      issuesOf(() =>
        toPageRequest("flows", { ...size, "page[after]": cursor(1), "page[before]": cursor(2) }),
      ),
    ).toEqual({ issues: [{ path: ["page[before]"], message: "cannot be combined with page[after]" }] });
  });

  it("of another list is refused by the list of runs", () => {
    const id = new IdMaker(() => 1_000).make("run");
    const own = encodeCursor("runs", { id, createdAt: new Date(idTimeMs(id)) });
    expect(toRunPageRequest("runs", { ...size, "page[after]": own }).after).toEqual({
      id,
      createdAt: new Date(1_000),
    });
    const foreign = [cursor(1), cursor(1, "runs"), encodeCursor("runs", { id, createdAt: new Date(999) })];
    for (const text of foreign) {
      expect(issuesOf(() => toRunPageRequest("runs", { ...size, "page[before]": text }))).toEqual({
        issues: [{ path: ["page[before]"], message: "is not a cursor of this list" }],
      });
    }
  });
});
