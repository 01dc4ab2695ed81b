import { describe, expect, it } from "vitest";
import {
  nodeSpanId,
  parseTraceparent,
  toTraceparent,
  traceOfRun,
  withTraceparent,
} from "../../src/domain/trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const given = `00-${traceId}-${spanId}-01`;

describe("a traceparent", () => {
  it("is read as W3C Trace Context writes it, of later versions too", () => {
    expect(parseTraceparent(given)).toEqual({ traceId, spanId, isSampled: true });
    expect(parseTraceparent(` 00-${traceId}-${spanId}-00 `)?.isSampled).toBe(false);
    expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)?.isSampled).toBe(true);
    expect(toTraceparent(parseTraceparent(given)!)).toBe(given);
    expect(toTraceparent({ traceId, spanId, isSampled: false })).toBe(`00-${traceId}-${spanId}-00`);
  });

  it("is none where it is anything else", () => {
    for (const text of [
      undefined,
      7,
      "",
      `ff-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId}-${spanId}`,
    ])
      expect(parseTraceparent(text)).toBeUndefined();
  });

  it("is kept with what triggers a run, unless there is one", () => {
    expect(withTraceparent(undefined, given)).toEqual({ headers: { traceparent: given } });
    const trigger = { body: 1, headers: { a: "b" } };
    expect(withTraceparent(trigger, given)).toEqual({ body: 1, headers: { a: "b", traceparent: given } });
    expect(withTraceparent(trigger, "nonsense")).toBe(trigger);
    const own = { headers: { traceparent: "own" } };
    expect(withTraceparent(own, given)).toBe(own);
  });
});

describe("the trace of a run", () => {
  it("is that of its caller, or one of its own that follows from its id", () => {
    const own = traceOfRun("run_a", undefined, 1);
    expect(own).toEqual(traceOfRun("run_a", "nonsense", 1));
    expect([own.traceId.length, own.spanId.length, own.parentSpanId]).toEqual([32, 16, undefined]);
    expect(traceOfRun("run_b", undefined, 1).traceId).not.toBe(own.traceId);
    expect(traceOfRun("run_a", given, 0)).toEqual({ ...own, traceId, parentSpanId: spanId, isSampled: true });
    const ids = [nodeSpanId("run_a", 1, "x"), nodeSpanId("run_a", 2, "x"), nodeSpanId("run_a", 1, "y")];
    expect(new Set([...ids, own.spanId]).size).toBe(4);
  });

  it("is told for as many runs as the ratio says", () => {
    const sampled = (ratio: number) =>
      Array.from({ length: 1_000 }, (_, at) => traceOfRun(`run_${at}`, undefined, ratio).isSampled).filter(
        Boolean,
      ).length;
    expect([sampled(0), sampled(1)]).toEqual([0, 1_000]);
    expect(Math.abs(sampled(0.3) - 300)).toBeLessThan(60);
  });
});
