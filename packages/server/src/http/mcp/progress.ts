import type { ServerContext } from "@modelcontextprotocol/server";
import type { NodeChange } from "../../domain/node-changes.ts";

/** Each of so many nodes is told; of later ones only the newest, once a second. */
const MAX_TOLD = 200;
const LATER_MS = 1_000;

/** Tells the caller of nodes that have ended, where it asked to be told. */
export function progressTeller({
  mcpReq,
}: ServerContext): ((changes: readonly NodeChange[]) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let ended = 0;
  let told = 0;
  let toldAtMs = 0;
  return (changes) => {
    for (const { nodeKey, type, status, endedAt } of changes) {
      if (endedAt === undefined && status !== "PAUSED") continue;
      ended += 1;
      const nowMs = performance.now();
      if (told >= MAX_TOLD && nowMs - toldAtMs < LATER_MS) continue;
      told += 1;
      toldAtMs = nowMs;
      const params = { progressToken, progress: ended, message: `${nodeKey} (${type}) ${status}` };
      // Whoever is gone hears nothing.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    }
  };
}
