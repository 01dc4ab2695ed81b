import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { JSException, QuickJS, type WasiOptions } from "quickjs-wasi";
import { seedWords } from "./chance.ts";
import { cpuMs } from "./child-clock.ts";
import { harness, userFunction } from "./child-code-harness.ts";
import type { ChildOutcome, ChildRequest } from "./protocol.ts";

const maxLogLines = 100;
const maxLogLineLength = 1024;
/** With the host stack that the parent gives the child, a deep recursion ends as a RangeError of the guest. */
const guestStackBytes = 256 * 1024;
const promisePending = 0;

// Part of every JavaScript host, but declared only in the library of browsers.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const wasm = await WebAssembly.compile(
  readFileSync(fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm"))),
);

/** One fresh virtual machine a call: nothing of a call is left for the next. */
export async function runCode(request: ChildRequest, logs: string[]): Promise<ChildOutcome> {
  const deadlineMs = cpuMs() + request.cpuMs;
  let timedOut = false;
  const vm = await QuickJS.create({
    wasm,
    memoryLimit: request.memoryMb * 1024 * 1024,
    maxStackSize: guestStackBytes,
    timezoneOffset: 0,
    interruptHandler: () => (timedOut = cpuMs() > deadlineMs),
    wasi: fixedClock(request.nowMs),
  });
  try {
    return toOutcome(await answerOf(vm, request, logs), request);
  } catch (error) {
    if (timedOut) return timeout(request);
    if (error instanceof JSException) return failure(error, request);
    if (error instanceof Error && error.message.includes("out of memory")) return failure(error, request);
    throw error;
  }
  // The machine is not disposed of piece by piece: it is dropped as a whole, whatever state the code left it in.
}

/** Every clock of the guest stands at the flow's now. */
function fixedClock(nowMs: number): WasiOptions {
  const nowNs = BigInt(nowMs) * 1_000_000n;
  return (memory) => ({
    clock_time_get(_clockId: number, _precision: bigint, resultAt: number): number {
      new DataView(memory.buffer).setBigUint64(resultAt, nowNs, true);
      return 0;
    },
  });
}

async function answerOf(vm: QuickJS, request: ChildRequest, logs: string[]): Promise<string | undefined> {
  const log = vm.newFunction("log", (line) => {
    if (logs.length < maxLogLines) logs.push(line?.toString().slice(0, maxLogLineLength) ?? "");
    return vm.undefined;
  });
  const seed = vm.newString(JSON.stringify(seedWords(request.seed)));
  const start = vm.callFunction(vm.evalCode(harness, "harness.js"), vm.undefined, log, seed);
  const main = vm.evalCode(userFunction(request.source), "code.js");
  const inputText = request.inputText === undefined ? vm.undefined : vm.newString(request.inputText);
  const promise = vm.callFunction(start, vm.undefined, main, inputText);
  vm.executePendingJobs();
  if (promise.promiseState === promisePending) return undefined;
  const settled = await vm.resolvePromise(promise);
  return "value" in settled ? settled.value.toString() : `!${JSON.stringify({ message: "it failed" })}`;
}

function toOutcome(answer: string | undefined, request: ChildRequest): ChildOutcome {
  if (answer === undefined) {
    const message =
      "The code awaits a promise that nothing settles; there are no timers and no network in it.";
    return { ok: false, name: "CodeError", message };
  }
  const text = answer.slice(1);
  if (answer.startsWith("=")) return text === "" ? { ok: true } : { ok: true, valueText: text };
  return failure(JSON.parse(text) as GuestError, request);
}

interface GuestError {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
}

function failure(error: GuestError, request: ChildRequest): ChildOutcome {
  if (error.message.includes("out of memory")) {
    const message = `The code needed more than ${request.memoryMb} MB of memory. Work on less data at a time.`;
    return { ok: false, name: "CodeMemory", message };
  }
  const line = /code\.js:(\d+)/.exec(error.stack ?? "")?.[1];
  const what = error.name ? `${error.name}: ${error.message}` : error.message;
  return {
    ok: false,
    name: "CodeError",
    message: `The code failed${line ? ` in line ${line}` : ""}: ${what}`,
  };
}

function timeout(request: ChildRequest): ChildOutcome {
  const message = `The code needed more than ${request.cpuMs} ms of processor time and was stopped. Look for an endless loop, work on less data, or raise timeoutMs.`;
  return { ok: false, name: "CodeTimeout", message };
}
