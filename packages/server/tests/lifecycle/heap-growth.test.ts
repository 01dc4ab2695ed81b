import { execFile } from "node:child_process";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { collectFirst } from "../../src/lifecycle/heap-growth.ts";

describe("the first collection", () => {
  it("is one of the whole heap, and leaves nobody a way to ask for another", async () => {
    const seen = Promise.withResolvers<void>();
    const observer = new PerformanceObserver((list) => {
      const collections = list.getEntries() as unknown as readonly {
        readonly detail: { readonly kind: number };
      }[];
      if (collections.some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR))
        seen.resolve();
    });
    observer.observe({ entryTypes: ["gc"] });
    await collectFirst();
    await seen.promise;
    observer.disconnect();
    expect("gc" in globalThis).toBe(false);
  });
});

describe("a process that has become large", () => {
  it("gives back what it no longer needs, although there is always something to do", async () => {
    const grown = new URL("grown-process.ts", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, ["--max-semi-space-size=32", grown], {
      timeout: 60_000,
    });
    expect(stdout).toBe("0 kept\n");
  }, 70_000);
});
