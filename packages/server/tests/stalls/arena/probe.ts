// Loaded into a measured process with `node --import`: it notes the longest turn of the event loop, and changes nothing else.
import { Session } from "node:inspector";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { hottestFrames, type Profile } from "./hottest-frames.ts";

/** What a probe says about its process since it was last asked to begin. */
export interface ProbeFigures {
  /** Processor time of the event loop's thread within one turn: what it burned itself, whatever else the machine did. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Processor time of all turns together. */
  readonly totalCpuMs: number;
}

const TICK_MS = 5;
const { STALL_PROBE_SOCKET: path, STALL_PROBE_NAME: name } = process.env;

let profiler: Session | undefined;
let longest = { cpuMs: 0, wallMs: 0 };
/** When the turn with the most processor time was, on the profiler's clock. */
let longestSpan = { fromMicros: 0, toMicros: 0 };
let begunAtCpuMs = usedCpuMs();
let last = { atMs: performance.now(), cpuMs: usedCpuMs() };
const waiting: (() => void)[] = [];

if (path) {
  const socket = connect(path).unref();
  socket.on("error", () => {});
  socket.write(`${JSON.stringify({ name, pid: process.pid })}\n`);
  const lines = createInterface({ input: socket });
  lines.on("error", () => {});
  lines.on("line", (command) => obey(command, socket));
  setInterval(tick, TICK_MS).unref();
}

function usedCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tick(): void {
  const now = { atMs: performance.now(), cpuMs: usedCpuMs() };
  if (now.cpuMs - last.cpuMs > longest.cpuMs) {
    const toMicros = Number(process.hrtime.bigint() / 1000n);
    longestSpan = { fromMicros: toMicros - (now.atMs - last.atMs) * 1000, toMicros };
  }
  longest = {
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    wallMs: Math.max(longest.wallMs, now.atMs - last.atMs - TICK_MS),
  };
  last = now;
  for (const answer of waiting.splice(0)) answer();
}

/** Answers come with the next tick, when the turn that a question arrived in was counted too. */
function obey(command: string, socket: Socket): void {
  waiting.push(() => {
    const figures: ProbeFigures = { ...longest, totalCpuMs: last.cpuMs - begunAtCpuMs };
    if (command === "begin") {
      longest = { cpuMs: 0, wallMs: 0 };
      begunAtCpuMs = last.cpuMs;
    }
    if (command === "profile") return startProfile(() => socket.write(`${JSON.stringify(figures)}\n`));
    if (command === "hottest") return stopProfile((frames) => socket.write(`${JSON.stringify(frames)}\n`));
    socket.write(`${JSON.stringify(figures)}\n`);
  });
}

function startProfile(done: () => void): void {
  profiler = new Session();
  profiler.connect();
  profiler.post("Profiler.enable", () => profiler!.post("Profiler.start", done));
}

function stopProfile(done: (frames: readonly string[]) => void): void {
  if (!profiler) return done([]);
  profiler.post("Profiler.stop", (_error, { profile }) => {
    profiler!.disconnect();
    done(hottestFrames(profile as Profile, longestSpan));
  });
}
