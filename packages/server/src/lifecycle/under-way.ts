import type { Sliced } from "../domain/sliced.ts";
import { STALL_MEMORY_BYTES, StallMemory, toLabel, type Work } from "./watchdog/stall-memory.ts";

/**
 * Says for whom the event loop works right now, so that the watchdog can name whoever makes it stand still. Called
 * around synchronous work only: between `enter` and `leave` nobody else has a turn. One per process, as the event
 * loop is; without a watchdog it does nothing.
 */
export const sharedMemory = new SharedArrayBuffer(STALL_MEMORY_BYTES);
export const memory = new StallMemory(sharedMemory);

/** What is under way right now; nothing where the label is undefined. */
let currentLabel: string | undefined;
let currentPart = "";
let isWatched = false;
let onEnter: ((label: string, part: string) => void) | undefined;

/** `intercept` is for tests of the watchdog alone: it may keep the loop from going on. */
export function watch(intercept?: (label: string, part: string) => void): void {
  isWatched = true;
  onEnter = intercept;
}

/** Made once for a run, a flow or a request, and then given to `during` as often as there is work for it. */
export function labelOf(work: Work): string {
  return isWatched ? toLabel(work) : "";
}

/** `part` is the node of a run. */
export function during<Result>(label: string, part: string, work: () => Result): Result {
  if (!isWatched) return work();
  const outerLabel = currentLabel;
  const outerPart = currentPart;
  enter(label, part);
  try {
    return work();
  } finally {
    currentLabel = outerLabel;
    currentPart = outerPart;
    if (outerLabel === undefined) memory.end();
    else memory.begin(outerLabel, outerPart);
  }
}

function enter(label: string, part: string): void {
  currentLabel = label;
  currentPart = part;
  memory.begin(label, part);
  onEnter?.(label, part);
}

/** What is under way has come to this part of it; cheaper than a `during` of its own. */
export function cameTo(part: string): void {
  if (currentLabel !== undefined) enter(currentLabel, part);
}

/** The same around each slice of work that goes on in several turns. */
export function duringEach<Result>(
  label: string,
  part: string,
  work: Sliced<Result>,
): Pick<Sliced<Result>, "next"> {
  return { next: (value: unknown) => during(label, part, () => work.next(value)) };
}
