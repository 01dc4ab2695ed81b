import { isTerminal } from "../../domain/run-status.ts";
import type { RunWatch, WatchedRun } from "./run-watch.ts";

/** True once the run has ended; false where `signal` was aborted before. Whoever stops waiting stops nothing else. */
export function untilEnded(watch: RunWatch, run: WatchedRun, signal: AbortSignal): Promise<boolean> {
  if (isTerminal(run.status)) return Promise.resolve(true);
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (hasEnded: boolean) => {
      signal.removeEventListener("abort", stop);
      stopListening();
      resolve(hasEnded);
    };
    const stop = () => end(false);
    signal.addEventListener("abort", stop, { once: true });
    const stopListening = watch.subscribe(run, {
      onUpdate: ({ status }) => {
        if (isTerminal(status)) end(true);
      },
    });
  });
}
