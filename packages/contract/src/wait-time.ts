import { delayMs } from "./duration.ts";
import { safeText } from "./envelope.ts";

const MAX_WAIT_MS = 300_000;

/** How long a caller may wait for the end of a run. */
export const waitTime = safeText.refine((text) => delayMs(text) > 0 && delayMs(text) <= MAX_WAIT_MS, {
  message: "must be a whole number above 0 with s or m, such as 30s, and at most 5m",
});
