import { setFlagsFromString } from "node:v8";

const largeBytes = 340_000_000;
const lookMs = 200;

/** V8 lets a heap grow to up to four times what is in use before it is cleaned up; where it is large already, to less than twice. */
export function limitHeapGrowth(): void {
  let isLarge = false;
  setInterval(() => {
    if (process.memoryUsage.rss() > largeBytes === isLarge) return;
    isLarge = !isLarge;
    // 0: as V8 thinks best.
    setFlagsFromString(`--heap-growing-percent=${isLarge ? 75 : 0}`);
  }, lookMs).unref();
}
