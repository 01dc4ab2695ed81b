import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoText } from "../../src/domain/iso-text.ts";

describe("the text of a moment", () => {
  it("is that of toISOString, in whatever order moments come", () => {
    const moment = fc.date({ noInvalidDate: true }).map((date) => date.getTime());
    const near = fc.tuple(moment, fc.nat(2_500)).map(([ms, more]) => ms - more);
    fc.assert(
      fc.property(fc.oneof(moment, near), (ms) => {
        for (const each of [ms, ms + 1, ms - 1]) {
          if (Math.abs(each) <= 8.64e15) expect(isoText(each)).toBe(new Date(each).toISOString());
        }
      }),
    );
  });
});
