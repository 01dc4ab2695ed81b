// Plain JavaScript and nothing but Node's own modules on purpose: it waits for as long as the service runs, and should
// cost no more memory than it must.
import { fork } from "node:child_process";
import { constants } from "node:os";
import { MEMORY_ENVIRONMENT, nodeArgs } from "./node-args.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
// A service that has lived so long is no quick end; after so many of those in a row the pauses grow.
const LONG_LIFE_MS = 60_000;
const QUICK_ENDS = 5;

/** How long to wait before the next start. */
export function pauseMsAfter(quickEnds) {
  return quickEnds < QUICK_ENDS ? PAUSE_MS : Math.min(1_000 * 2 ** (quickEnds - QUICK_ENDS), MAX_PAUSE_MS);
}

/**
 * Runs the service as a child and starts it again whenever it ends unexpectedly. What ends before it has ever run (a
 * fault in the configuration, a port that is taken) is not tried again. Resolves with the exit code.
 */
export function supervise(program, args, env) {
  return new Promise((resolve) => {
    let child;
    let pause;
    let startedAtMs = 0;
    let quickEnds = 0;
    let hasRun = false;
    let isStopping = false;
    /** A signal is kept until the child can handle it. */
    let canStop = false;
    let kept;

    for (const signal of SIGNALS) process.on(signal, () => stop(signal));
    start();

    function start() {
      pause = undefined;
      canStop = false;
      startedAtMs = performance.now();
      // In a session of its own: Ctrl-C reaches the supervisor alone, and the service once.
      child = fork(program, args, {
        env: { ...MEMORY_ENVIRONMENT, ...env, MILLRACE_SUPERVISE: "off" },
        execArgv: nodeArgs(env),
        detached: true,
      });
      child.on("message", (state) => {
        canStop = true;
        if (state === "running") hasRun = true;
        if (kept !== undefined) child.kill(kept);
        kept = undefined;
      });
      child.once("exit", onExit);
      child.once("error", (error) => {
        log(`the service cannot be started: ${error.message}`, env);
        if (child.pid === undefined) onExit(1, null);
      });
    }

    function stop(signal) {
      isStopping = true;
      if (pause !== undefined) {
        // The PostgreSQL of the last one may still be there: one more start takes it over, and stops it in order.
        clearTimeout(pause);
        start();
      }
      if (canStop) child.kill(signal);
      else kept = signal;
    }

    function onExit(code, signal) {
      if (isStopping || !hasRun || code === 0) {
        resolve(code ?? 128 + constants.signals[signal]);
        return;
      }
      quickEnds = performance.now() - startedAtMs < LONG_LIFE_MS ? quickEnds + 1 : 1;
      const pauseMs = pauseMsAfter(quickEnds);
      const when = pauseMs === PAUSE_MS ? "" : ` in ${pauseMs / 1_000} s`;
      log(`the service ended unexpectedly (${signal ?? `code ${code}`}); it is started again${when}`, env);
      pause = setTimeout(start, pauseMs);
    }
  });
}

/** Like a line of the service's log. */
function log(msg, { MILLRACE_LOG_FORMAT: format, MILLRACE_LOG_LEVEL: level }) {
  if (level === "silent") return;
  const isPretty = format === "pretty" || (format !== "json" && process.stdout.isTTY);
  const line = { level: 40, time: new Date().toISOString(), pid: process.pid, msg };
  process.stderr.write(isPretty ? `${msg}\n` : `${JSON.stringify(line)}\n`);
}
