import type { Replay } from "../../domain/replay.ts";
import { createSandbox } from "../sandbox/pool.ts";
import { createReplay } from "./replay.ts";

/** Replays with a sandbox of their own, without a service. */
export async function withReplay<T>(work: (replay: Replay) => Promise<T>): Promise<T> {
  const sandbox = createSandbox();
  try {
    return await work(createReplay(sandbox));
  } finally {
    await sandbox.close();
  }
}
