import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { MillraceClient } from "../../src/client.ts";
import { type Fault, faults, startFaultyProxy } from "./faulty-proxy.ts";

interface Triggered {
  /** Triggers that ended with a run. */
  readonly started: number;
  /** Triggers that the client gave up on. */
  readonly givenUp: number;
  readonly runIds: readonly string[];
}

export interface StormResult extends Triggered {
  readonly faults: Readonly<Record<string, number>>;
}

interface StormOptions {
  readonly target: string;
  readonly apiKey: string;
  readonly flowId: string;
  readonly triggers: number;
  readonly client?: "typescript" | "python";
  /** Of the requests, so many meet a fault. */
  readonly share?: number;
  readonly seed?: number;
}

/** Enough for a crowded machine: what stops in the middle costs so long. */
const SLOW_MS = 4_000;
const AT_ONCE = 100;

/** Triggers through a proxy that breaks requests in each of its ways. Each trigger carries its number in `data.n`. */
export async function triggerStorm({
  target,
  share = 0.25,
  seed = 1,
  client = "typescript",
  ...storm
}: StormOptions): Promise<StormResult> {
  const random = numbersFrom(seed);
  const choose = (): Fault | undefined =>
    random() < share ? faults[Math.floor(random() * faults.length)] : undefined;
  const proxy = await startFaultyProxy(target, choose);
  try {
    const triggered = await (client === "python" ? byPython : byTypeScript)({ baseUrl: proxy.url, ...storm });
    return { ...triggered, faults: proxy.made };
  } finally {
    await proxy.close();
  }
}

interface Storm {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly flowId: string;
  readonly triggers: number;
}

async function byTypeScript({ baseUrl, apiKey, flowId, triggers }: Storm): Promise<Triggered> {
  const millrace = new MillraceClient({ baseUrl, apiKey, timeoutMs: SLOW_MS, maxRetries: 12 });
  const runIds: string[] = [];
  let givenUp = 0;
  let next = 0;
  const worker = async () => {
    while (next < triggers) {
      const n = next++;
      try {
        const started = await millrace.runs.trigger(flowId, undefined, { data: { n } });
        runIds.push(started.status === "queued" ? started.queueId.replace("queue_", "run_") : started.id);
      } catch {
        givenUp += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { started: runIds.length, givenUp, runIds };
}

async function byPython({ baseUrl, apiKey, flowId, triggers }: Storm): Promise<Triggered> {
  const root = fileURLToPath(new URL("../../../../clients/python", import.meta.url));
  const args = [`${root}/tests/storm.py`, baseUrl, apiKey, flowId, String(triggers)];
  const env = { ...process.env, PYTHONPATH: root, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await promisify(execFile)("python3", args, { env, maxBuffer: 64 * 1_048_576 });
  return JSON.parse(stdout) as Triggered;
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
