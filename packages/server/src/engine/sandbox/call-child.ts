import { randomUUID } from "node:crypto";
import { isOutOfMemory, isOutOfTime, type ChildDeath } from "../../children/confined-process.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import type { SandboxChild } from "./child-process.ts";
import type { ChildReply, ChildRequest } from "./protocol.ts";
import { writeInput } from "./input-text.ts";
import { errorNameOf, SandboxError, type SandboxJob } from "./sandbox.ts";

const defaultCpuMs = 1_000;
const maxCpuMs = 30_000;
/** An input and an output of 5 MB each, of whatever form, have room in it. */
const defaultMemoryMb = 96;
const maxMemoryMb = 128;
/**
 * The child itself counts the processor time of a job. This is for one that cannot any more, because it was stopped: no
 * machine is so busy that a job needs so much longer.
 */
const wallPerCpuMs = 20;
const wallGraceMs = 60_000;

/** @throws SandboxError for an input that is no JSON or too large. */
export async function toRequest(job: SandboxJob): Promise<ChildRequest> {
  const inputText = await driveSliced(writeInput(job.input), () => eventLoop.giveWay(job.organizationId));
  return {
    language: job.language,
    source: job.source,
    cpuMs: clamp(job.limits?.cpuMs ?? defaultCpuMs, 1, maxCpuMs),
    memoryMb: clamp(job.limits?.memoryMb ?? defaultMemoryMb, 4, maxMemoryMb),
    nowMs: Math.floor(job.nowMs ?? Date.now()),
    seed: job.seed ?? randomUUID(),
    ...(inputText === undefined ? {} : { inputText }),
  };
}

/** Ends with the child's reply, or with an error: by the wall clock, by the signal, by itself. Then the child is to be killed. */
export function callChild(
  child: SandboxChild,
  request: ChildRequest,
  signal?: AbortSignal,
): Promise<ChildReply> {
  return new Promise((resolve, reject) => {
    let finished = false;
    const finish = (settle: () => void) => {
      finished = true;
      clearTimeout(wall);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const giveUp = (error: SandboxError) => {
      if (!finished) finish(() => reject(error));
    };
    const onAbort = () => giveUp(CANCELED);
    // A reply that has already arrived wins over a timer that fired late because this process was busy.
    const wall = setTimeout(
      () => setImmediate(() => giveUp(timeError(request))),
      wallPerCpuMs * request.cpuMs + wallGraceMs,
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    void child.call(request).then((reply) => finish(() => resolve(reply)));
    void child.died.then((death) => finish(() => reject(deathError(request, death))));
  });
}

/** One for all: thousands of calls may wait for a run that ends. */
export const CANCELED = new SandboxError("SandboxCanceled", "The call was canceled.");

function timeError({ language, cpuMs }: ChildRequest): SandboxError {
  return new SandboxError(
    errorNameOf(language, "Timeout"),
    `The ${language} needed more than ${cpuMs} ms of processor time and was stopped. Look for an endless loop, or work on less data.`,
  );
}

function deathError(request: ChildRequest, death: ChildDeath): SandboxError {
  if (isOutOfTime(death)) return timeError(request);
  if (isOutOfMemory(death)) {
    const message = `The ${request.language} needed too much memory. Work on less data at a time.`;
    return new SandboxError(errorNameOf(request.language, "Memory"), message);
  }
  const message = `The process that ran the ${request.language} ended unexpectedly. Run it again.`;
  return new SandboxError("SandboxLost", message);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(value), least), most);
}
