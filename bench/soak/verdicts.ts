import { median, percentile } from "../support/statistics.ts";
import type { Pace } from "./pace.ts";
import type { Sample } from "./samples.ts";
import { trendOf } from "./trend.ts";

/** Over eight hours this is one megabyte an hour. Shorter, a slope says less, and so much growth may still be settling. */
const MAX_GROWTH_MB = 8;
const LEAST_BOUND_MB_PER_HOUR = 1;
const MAX_DEAD_PERCENT = 20;

export interface Verdict {
  readonly text: string;
  readonly broken: boolean;
}

export function verdictsOf(samples: readonly Sample[], pace: Pace, deadTables: readonly string[]): Verdict[] {
  const hours = (samples.at(-1)!.atMs - samples[0]!.atMs) / 3_600_000;
  const bound = Math.max(LEAST_BOUND_MB_PER_HOUR, MAX_GROWTH_MB / hours);
  const dead = percentile(
    samples.map(({ deadPercent }) => deadPercent),
    95,
  );
  const failed = [...pace.failures.values()].reduce((sum, count) => sum + count, 0);
  return [
    slope("RSS of the service", samples, ({ rssMb }) => rssMb, bound),
    slope("its memory outside the heap", samples, ({ outsideHeapMb }) => outsideHeapMb, bound),
    // Garbage comes and goes; what is left after the collections is what may leak.
    slope(
      "the floor of its heap",
      samples,
      ({ heapMb }) => heapMb,
      bound,
      (values) => Math.min(...values),
    ),
    slope("RSS of the sandbox", samples, ({ childrenRssMb }) => childrenRssMb, bound),
    constant("open files", samples, ({ openFiles }) => openFiles, 8),
    constant("database connections", samples, ({ connections }) => connections, 1),
    constant("runs waiting", samples, ({ waiting }) => waiting, 100),
    {
      text: `dead rows ${dead.toFixed(1)} % of all (p95; bound ${MAX_DEAD_PERCENT} %)${deadTables.map((table) => `, ${table}`).join("")}`,
      broken: dead >= MAX_DEAD_PERCENT || deadTables.length > 0,
    },
    growth(samples),
    {
      text: `${pace.done.toLocaleString("en")} done, ${failed} failed, ${pace.leftOut} left out${describe(pace.failures)}`,
      broken: failed > 0 || pace.leftOut > 0,
    },
  ];
}

/** Broken only when it is clear: the whole range of what the slope may be lies above the bound. */
function slope(
  name: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
  bound: number,
  valueOf?: (block: readonly number[]) => number,
): Verdict {
  const points = samples.map((sample) => ({ atMs: sample.atMs, value: of(sample) }));
  const { perHour, uncertainty } = trendOf(points, valueOf);
  const values = samples.map(of);
  const range = `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} MB`;
  return {
    text: `${name} ${perHour.toFixed(1)} ± ${uncertainty.toFixed(1)} MB an hour (${range}; bound ${bound.toFixed(1)})`,
    broken: perHour - uncertainty > bound,
  };
}

/** The last third is as the first. */
function constant(
  name: string,
  samples: readonly Sample[],
  of: (sample: Sample) => number,
  most: number,
): Verdict {
  const third = Math.ceil(samples.length / 3);
  const [first, last] = [median(samples.slice(0, third).map(of)), median(samples.slice(-third).map(of))];
  return { text: `${name} ${first} → ${last} (bound + ${most})`, broken: last - first > most };
}

function growth(samples: readonly Sample[]): Verdict {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const runs = last.runs - first.runs;
  const kb = (of: (sample: Sample) => number): string => (((of(last) - of(first)) * 1000) / runs).toFixed(2);
  return {
    text: `${runs.toLocaleString("en")} runs added ${kb(({ tablesMb }) => tablesMb)} kB to tables and ${kb(({ indexesMb }) => indexesMb)} kB to indexes each`,
    broken: false,
  };
}

function describe(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([message, count]) => `; ${count} × ${message}`).join("");
}
