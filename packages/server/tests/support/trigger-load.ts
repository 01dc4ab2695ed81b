import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { withPrefix } from "../../src/domain/ids.ts";

/** What clients saw, in the way of a Jepsen log: a trigger is acknowledged, refused, or nobody knows. */
export interface TriggerLog {
  readonly acknowledged: { readonly runId: string; readonly atMs: number }[];
  /** 503 with Retry-After. */
  refused: number;
  /** The connection was lost, or no answer came in time. */
  unknown: number;
  /** The longest a client waited for an acknowledgement. */
  slowestMs: number;
  /** Anything else; nothing of the kind is expected. */
  readonly unexpected: string[];
}

export interface TriggerLoad {
  readonly log: TriggerLog;
  stop(): Promise<TriggerLog>;
}

interface LoadOptions {
  readonly addresses: readonly string[];
  readonly key: string;
  readonly flowIds: readonly string[];
  readonly clients: number;
  /** Of one client between an answer and its next request. */
  readonly pauseMs?: number;
}

const REFUSED_PAUSE_MS = 50;
const ANSWER_MS = 10_000;

/** Clients that trigger runs without end, each with an idempotency key of its own, and write down what they hear. */
export function startTriggerLoad({
  addresses,
  key,
  flowIds,
  clients,
  pauseMs = 0,
}: LoadOptions): TriggerLoad {
  const log: TriggerLog = { acknowledged: [], refused: 0, unknown: 0, slowestMs: 0, unexpected: [] };
  const stopping = new AbortController();

  const triggerOnce = async (address: string, flowId: string): Promise<void> => {
    const startedMs = performance.now();
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${address}/api/runs`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ payload: { flowId }, idempotencyKey: randomUUID() }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      text = await answer.text();
    } catch {
      log.unknown++;
      await sleep(REFUSED_PAUSE_MS);
      return;
    }
    if (answer.status === 201 || answer.status === 202) {
      const { id, queueId } = (JSON.parse(text) as { data: { id?: string; queueId: string } }).data;
      log.acknowledged.push({ runId: id ?? withPrefix(queueId, "run"), atMs: performance.now() });
      log.slowestMs = Math.max(log.slowestMs, performance.now() - startedMs);
    } else if (answer.status === 503 && answer.headers.has("retry-after")) {
      log.refused++;
      await sleep(REFUSED_PAUSE_MS);
    } else log.unexpected.push(`${answer.status} ${text}`);
  };
  const loops = Array.from({ length: clients }, async (_, client) => {
    for (let round = client; !stopping.signal.aborted; round++) {
      await triggerOnce(addresses[round % addresses.length]!, flowIds[round % flowIds.length]!);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  });
  return {
    log,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      return log;
    },
  };
}
