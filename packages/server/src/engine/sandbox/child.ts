import { startChild } from "../../children/child-side.ts";
import { installFlowClock, setFlowClock } from "./child-clock.ts";
import { evaluateExpression } from "./child-expression.ts";
import { runCode } from "./child-code.ts";
import { checkAgainstSchema } from "./child-schema.ts";
import { errorNameOf } from "./sandbox.ts";
import { refuseUnfitResult } from "./result-limits.ts";
import type { ChildMessage, ChildOutcome, ChildRequest } from "./protocol.ts";

/*
 * The process in which user code and expressions run. It holds no secrets, no environment and no right to
 * anything but reading its own files, serves one call at a time and is killed from outside when in doubt.
 */

installFlowClock();

// A fault in an expression library must not be able to leave something behind for the next call.
for (const shared of [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  RegExp,
  Date,
  Promise,
  Map,
  Set,
  Error,
]) {
  Object.seal(shared);
  const prototype: object = shared.prototype;
  Object.seal(prototype);
}

/** A child with more is cleaned up before it answers. */
const tidyRssBytes = 120 * 1024 * 1024;

startChild(serve, ({ cpuMs }) => cpuMs);

async function serve(request: ChildRequest): Promise<void> {
  const logs: string[] = [];
  setFlowClock(request.nowMs);
  const outcome = await execute(request, logs);
  if (process.memoryUsage.rss() > tidyRssBytes) gc?.();
  send({ kind: "reply", outcome, logs, rssBytes: process.memoryUsage.rss() });
}

async function execute(request: ChildRequest, logs: string[]): Promise<ChildOutcome> {
  try {
    return refuseUnfitResult(await run(request, logs), request.language);
  } catch {
    const name = errorNameOf(request.language, "Error");
    const message = "It could not be run to its end. Simplify it: it nests or recurses too deeply.";
    return { ok: false, name, message, hostFault: true };
  }
}

function run(request: ChildRequest, logs: string[]): Promise<ChildOutcome> {
  if (request.language === "code") return runCode(request, logs);
  return request.language === "schema" ? checkAgainstSchema(request) : evaluateExpression(request);
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
