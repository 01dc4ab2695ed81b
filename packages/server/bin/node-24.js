import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { MEMORY_ENVIRONMENT, nodeArgs } from "./node-args.js";

/** `npx millrace` finds the Node 24 of the npm package `node` by itself; whoever was started otherwise goes on with it here. */
export function runUnderNode24() {
  const child = spawn(findNode24(), [...nodeArgs(process.env, []), ...process.argv.slice(1)], {
    env: { ...MEMORY_ENVIRONMENT, ...process.env },
    // The channel tells the child when this process is gone, however it went.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // What a terminal sends reaches the child by itself, and twice would mean "at once".
  const fromTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT"])
    process.on(signal, () => fromTerminal || child.kill(signal));
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

function findNode24() {
  try {
    return createRequire(import.meta.url).resolve("node/bin/node");
  } catch {
    return fail(
      'the npm package "node", which brings it, is not complete. Run: npm rebuild node — or start Millrace with Node 24',
    );
  }
}

function fail(reason) {
  console.error(`Millrace needs Node 24 and this is Node ${process.versions.node}; ${reason}.`);
  process.exit(1);
}
