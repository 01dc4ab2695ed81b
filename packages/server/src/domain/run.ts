/** A run as the worker that owns it needs it. */
export interface ClaimedRun {
  readonly organizationId: string;
  readonly id: string;
  readonly flowId: string;
  readonly version: string;
  /** The fence: every write for this run names it, and none counts once it has risen. */
  readonly epoch: number;
  readonly attempt: number;
  /** When it was started for the first time; asked for where it is not known and makes a difference. */
  readonly startedAtMs?: number;
  /** Active time left until TIMED_OUT. */
  readonly remainingMs: number;
  readonly depth: number;
  /** What it was started with. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
  readonly trigger: Readonly<Record<string, unknown>> | undefined;
  /** How many letters that has as a text. */
  readonly payloadLength: number;
  /** What of it is large and was not parsed yet. */
  readonly unread?: UnreadPayload | undefined;
}

export type UnreadPayload = Readonly<Partial<Record<"data" | "inputs" | "trigger", string>>>;

/** Letters of a payload that is read, and looked through, before anybody could notice. */
export const SMALL_PAYLOAD = 20_000;

export interface RunFailure {
  readonly name: string;
  readonly message: string;
  readonly nodeId?: string;
}

/** Of flows and agents that call each other. */
export const MAX_DEPTH = 8;

export function tooDeep(flowId: string): RunFailure {
  return {
    name: "SubflowDepth",
    message: `Flows and agents call each other more than ${MAX_DEPTH} deep here; check that ${flowId} does not call itself for ever.`,
  };
}

/** A lost worker costs a recovery, not an attempt; the third loss ends the run as CRASHED. */
export const MAX_LOSSES = 3;

/** 1 s · 2^(n−1) with jitter, a minute at most. `random` is in [0, 1). */
export function retryDelayMs(attempt: number, random: number): number {
  return Math.round(Math.min(1_000 * 2 ** (attempt - 1), 60_000) * (0.5 + random / 2));
}

const MAX_NODE_BACKOFF_MS = 300_000;

/** Between attempt `attempts` of a node, which failed, and the next: doubled each time. */
export function nodeBackoffMs(backoffMs: number, attempts: number): number {
  return Math.min(backoffMs * 2 ** (attempts - 1), MAX_NODE_BACKOFF_MS);
}
