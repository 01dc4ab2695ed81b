import { Session } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";

const MAX_WAIT_MS = 3_000;
const MAX_FRAMES = 20;

interface CallFrame {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/**
 * Where the main thread stands, as V8 tells it when it is interrupted; empty where it does not even get to that.
 * The main thread stays paused afterwards: only for a process that is about to be ended.
 */
export async function stackOfMainThread(): Promise<string> {
  const session = new Session();
  try {
    session.connectToMainThread();
    const files = new Map<string, string>();
    session.on("Debugger.scriptParsed", ({ params }) => files.set(params.scriptId, params.url));
    const paused = new Promise<readonly CallFrame[]>((resolve) => {
      session.on("Debugger.paused", ({ params }) => resolve(params.callFrames));
    });
    session.post("Debugger.enable");
    session.post("Debugger.pause");
    const frames = await Promise.race([paused, sleep(MAX_WAIT_MS, [], { ref: false })]);
    return frames
      .slice(0, MAX_FRAMES)
      .map(({ functionName, location: { scriptId, lineNumber } }) => {
        return `    at ${functionName || "(anonymous)"} (${files.get(scriptId) ?? "unknown"}:${lineNumber + 1})`;
      })
      .join("\n");
  } catch (error) {
    return `    (unknown: ${String(error)})`;
  }
}
