import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, by the clock and of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Cpu {
  /** Of the page's main thread, all its tasks together. */
  readonly totalMs: number;
  readonly longestTaskMs: number;
}

/** What the browser itself writes down while something is done: the processor's time, however crowded the machine is. */
export async function cpuOf(browser: Browser, page: Page, work: () => Promise<void>): Promise<Cpu> {
  await browser.startTracing(page, {
    categories: ["__metadata", "toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
  });
  try {
    await work();
  } catch (error) {
    await browser.stopTracing();
    throw error;
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, ph, pid, tid }) => name === "RunTask" && ph === "X" && threads.has(`${pid} ${tid}`))
    .map(({ dur = 0, tdur = dur }) => tdur / 1_000);
  if (tasks.length === 0) throw new Error("The browser wrote no tasks down");
  return { totalMs: tasks.reduce((sum, ms) => sum + ms, 0), longestTaskMs: Math.max(...tasks) };
}
