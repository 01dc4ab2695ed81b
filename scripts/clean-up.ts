import { setTimeout as sleep } from "node:timers/promises";

const MAX_STEP_MS = 10_000;

/** What is to be done at the end, the last first. */
export const cleanUps: (() => Promise<unknown>)[] = [];
let cleaning: Promise<void> | undefined;

/** Once, whoever asks first: work that was interrupted fails while it is cleaned up after. */
export const cleanUp = (): Promise<void> => (cleaning ??= runCleanUps());

/** From here on the end is cleaned up after however it comes: by a signal or by a fault. */
export function cleanUpAtAnyEnd(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
  process.once("uncaughtException", (error) => void cleanUpAfter(error));
}

async function cleanUpAfter(error: unknown): Promise<void> {
  console.error(error);
  await cleanUp();
  process.exit(1);
}

async function runCleanUps(): Promise<void> {
  // A step whose work was interrupted may never end.
  for (const step of cleanUps.splice(0).toReversed())
    await Promise.race([step().catch(console.error), sleep(MAX_STEP_MS, undefined, { ref: false })]);
}
