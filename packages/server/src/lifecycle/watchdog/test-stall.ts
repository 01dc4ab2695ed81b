import type { TestStall } from "../../config/test-stall.ts";
import { toWork } from "./stall-memory.ts";

/** For tests of the watchdog alone: stands still where it is told to. */
export function makeTestStall(
  stall: TestStall | undefined,
): ((label: string, part: string) => void) | undefined {
  if (!stall) return undefined;
  const { route, flowId, nodeId, forMs } = stall;
  return (label, part) => {
    const work = toWork(label, part);
    const isMeant =
      route === undefined ? work?.flowId === flowId && work?.nodeKey === nodeId : work?.route === route;
    const endMs = performance.now() + (isMeant ? forMs : 0);
    while (performance.now() < endMs);
  };
}
