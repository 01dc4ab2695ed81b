import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/domain/json.ts";
import { collectYoung } from "../../src/lifecycle/young-generation.ts";

/** As many values as a body may have, each as large as it can be: five megabytes. */
const manyValues = `[${Array(7_000)
  .fill(`${"[".repeat(13)}1${"]".repeat(13)}`)
  .join(",")}]`;

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")!.space_used_size;
}

describe("the young generation", () => {
  it("never holds what two bodies have brought", () => {
    const kept: unknown[] = [];
    let mostBytes = 0;
    for (let body = 0; body < 12; body++) {
      kept.push(parseJson(manyValues));
      collectYoung();
      mostBytes = Math.max(mostBytes, youngBytes());
    }
    expect(kept).toHaveLength(12);
    expect(mostBytes).toBeLessThan(7_000_000);
  });

  it("is left alone where there is little in it", async () => {
    collectYoung();
    collectYoung();
    let collections = 0;
    const observer = new PerformanceObserver((list) => (collections += list.getEntries().length));
    observer.observe({ entryTypes: ["gc"] });
    for (let time = 0; time < 20; time++) collectYoung();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    observer.disconnect();
    expect(collections).toBe(0);
  });
});
