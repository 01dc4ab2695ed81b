import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Arena, CONTROL } from "./arena/arena.ts";
import type { Case, Outcome } from "./case.ts";
import { childrenOf, forgetPeak, peakMegabytes } from "./arena/peak-memory.ts";
import { slowness } from "./arena/machine-speed.ts";
import { perform } from "./perform/perform.ts";
import { SERVICE } from "./arena/stalls-service.ts";

/** What the command calls a finding, on a machine that does nothing else. */
export const limits = { stallCpuMs: 100, megabytes: 512, totalCpuMs: 3_000 };

export const ENDED = "a process of the service ended";
export const STOOD = "the event loop stood still";
/** The service says so, and goes on. */
const UNHANDLED = "an error went unhandled";

/** A loop that stands this long is not waited for any more. */
const GIVE_UP_MS = 6_000;
const LOOK_MS = 250;
const NOTHING: Outcome = { faults: [], notes: [] };

export interface Measured {
  /** The longest turn of the service's event loop: processor time, time on the wall. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The longest turn, in the same time, of a loop that does nothing: what the machine adds. */
  readonly controlMs: number;
  /** How many times slower the machine was than at its best, before or after the case. */
  readonly slowness: number;
  /** The largest of its processes, the children among them. */
  readonly megabytes: number;
  /** Processor time of the event loop's thread for the whole case. */
  readonly totalCpuMs: number;
  /** Why this is a finding; empty where all is well. */
  readonly faults: readonly string[];
  /** What happened, in a few words. */
  readonly notes: readonly string[];
  /** Where the time went, where that was asked for. */
  readonly hottest: readonly string[];
}

/** Performs a case and measures the service meanwhile. A service that stands or has ended is replaced. */
export async function measure(arena: Arena, deed: Case, options = { profile: false }): Promise<Measured> {
  const { probes } = arena;
  const round = await arena.round();
  const { pids } = round.service;
  await probes.figures(SERVICE, options.profile ? "profile" : "begin", GIVE_UP_MS);
  if (options.profile) await probes.figures(SERVICE, "begin", GIVE_UP_MS);
  await probes.figures(CONTROL, "begin", GIVE_UP_MS);
  await Promise.all(pids.map(forgetPeak));
  const cpuBeforeMs = await threadCpuMs(pids);
  const slownessBefore = slowness();
  const outputBefore = round.service.output().length;

  const over = new AbortController();
  const stands = untilItStands(arena, over.signal);
  const performing = perform(arena, round, deed);
  const { faults, notes } = await Promise.race([performing, stands]);
  over.abort();
  const figures = await probes.figures(SERVICE, "read", GIVE_UP_MS);
  const control = await probes.figures(CONTROL, "read", GIVE_UP_MS);
  const children = (await Promise.all(pids.map(childrenOf))).flat();
  const megabytes = await largest([...pids, ...children]);
  const measured = {
    cpuMs: figures?.cpuMs ?? (await threadCpuMs(pids)) - cpuBeforeMs,
    wallMs: figures?.wallMs ?? GIVE_UP_MS,
    controlMs: control?.wallMs ?? 0,
    slowness: Math.max(slownessBefore, slowness()),
    megabytes,
    totalCpuMs: figures?.totalCpuMs ?? 0,
  };
  const heard = round.service.output().slice(outputBefore);
  const unhandled = heard.split("\n").filter((line) => line.includes(UNHANDLED));
  const ended = arena.hasEnded() ? [`${ENDED}: ${lastWords(round.service.output())}`] : [];
  const hottest = options.profile ? await probes.hottest(SERVICE, GIVE_UP_MS) : [];
  const all = [
    ...ended,
    ...unhandled.slice(0, 1),
    ...faults,
    ...excesses(deed, measured, figures === undefined),
  ];
  if (ended.length > 0 || figures === undefined) {
    await arena.endRound();
    await performing.catch(() => {});
  }
  return { ...measured, faults: all, notes, hottest };
}

function excesses(
  { action }: Case,
  { cpuMs, megabytes, totalCpuMs }: Pick<Measured, "cpuMs" | "megabytes" | "totalCpuMs">,
  stood: boolean,
): string[] {
  // A flow may work for long, a little at a time; a request or an answer may not.
  const isCostly = (action === "request" || action === "upstream") && totalCpuMs > limits.totalCpuMs;
  return [
    ...(stood ? [`${STOOD} for more than ${GIVE_UP_MS / 1000} s`] : []),
    ...(!stood && cpuMs > limits.stallCpuMs ? [`a stall of ${Math.round(cpuMs)} ms`] : []),
    ...(isCostly ? [`${Math.round(totalCpuMs)} ms of CPU in all`] : []),
    ...(megabytes > limits.megabytes ? [`${Math.round(megabytes)} MB`] : []),
  ];
}

/** Settles, without faults of its own, once the service has not answered its probe for too long or has ended. */
async function untilItStands(arena: Arena, over: AbortSignal): Promise<Outcome> {
  while (!over.aborted) {
    if (arena.hasEnded() || !(await arena.probes.figures(SERVICE, "read", GIVE_UP_MS))) return NOTHING;
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {});
  }
  return NOTHING;
}

async function largest(pids: readonly number[]): Promise<number> {
  return Math.max(0, ...(await Promise.all(pids.map(peakMegabytes))));
}

/** Processor time of the main threads, from outside: it counts while they stand. */
async function threadCpuMs(pids: readonly number[]): Promise<number> {
  const times = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
  });
  return Math.max(0, ...(await Promise.all(times)));
}

const LAST_WORDS = 600;

function lastWords(output: string): string {
  return output.trim().slice(-LAST_WORDS);
}
