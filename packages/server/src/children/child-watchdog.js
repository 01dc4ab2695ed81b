/*
 * A thread beside the child's own, which sees what the child cannot while it is in a loop: that the service is
 * gone, that the memory is used up, or that the child's event loop stands still. Plain JavaScript, because a thread
 * of its own would load the type stripper a second time, in every child.
 */
import { parentPort, workerData } from "node:worker_threads";

const { serviceProcessId, maxRssBytes, maxBusyCpuMs, heartbeat } = workerData;
const checkEveryMs = 100;
/** While something runs: memory can be filled by a gigabyte a second. */
const checkMemoryEveryMs = 10;
/** All threads of the process count here, and a request that counts its own time has more exact ways to end. */
const cpuAllowance = 1.5;
const cpuGraceMs = 500;
let lastBeat = 0;
let cpuMsAtLastBeat = cpuMs();

setInterval(() => {
  if (process.ppid !== serviceProcessId) process.kill(process.pid, "SIGKILL");
  checkMemory();
  if (maxBusyCpuMs !== undefined && isStuck()) process.kill(process.pid, "SIGKILL");
}, checkEveryMs);

let checks;
parentPort.on("message", ({ busy, cpuMs: maxCpuMs }) => {
  clearInterval(checks);
  if (!busy) return;
  const endsAtCpuMs = maxCpuMs === undefined ? Infinity : cpuMs() + maxCpuMs * cpuAllowance + cpuGraceMs;
  checks = setInterval(() => {
    checkMemory();
    if (cpuMs() > endsAtCpuMs) process.kill(process.pid, "SIGXCPU");
  }, checkMemoryEveryMs);
});

/** As V8 does when its heap is full; this also counts what lies outside of the heap. */
function checkMemory() {
  if (process.memoryUsage.rss() > maxRssBytes) process.kill(process.pid, "SIGABRT");
}

/** Processor time and not the clock's: on a crowded machine a healthy child may not run for seconds. */
function isStuck() {
  const beat = Atomics.load(heartbeat, 0);
  const now = cpuMs();
  if (beat !== lastBeat) {
    lastBeat = beat;
    cpuMsAtLastBeat = now;
  }
  return now - cpuMsAtLastBeat > maxBusyCpuMs;
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
