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

const ATTEMPTS = 3;

/**
 * The least of up to three measurements, until one is within the budget: who shares the cores adds to the processor's
 * time, by half and more, and nothing takes from it.
 */
export async function leastOf(
  { what, of, budgetMs }: { what: string; of: keyof Cpu; budgetMs: number },
  measure: () => Promise<Cpu>,
): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && leastMs > budgetMs; attempt++) {
    const cpu = await measure();
    leastMs = Math.min(leastMs, cpu[of]);
    console.log(
      `${what}: ${cpu.totalMs.toFixed(1)} ms CPU, longest task ${cpu.longestTaskMs.toFixed(0)} ms (${of} ≤ ${budgetMs})`,
    );
  }
  return leastMs;
}

/** What the browser itself writes down while something is done, and waits for. */
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
