import type { ReplyLimits } from "../../upstream/reply-generator.ts";

export interface ChatSettings {
  /** How long after its last sign of life a process's reply counts as lost. */
  readonly leaseMs: number;
  /** Pieces of text are gathered this long before they are stored and sent; the first one is not. */
  readonly gatherMs: number;
  /** Messages that may wait in one session behind the one that is being answered. */
  readonly maxWaiting: number;
  /** Replies that one process writes at once, shared between organizations; more wait for another process or for room. */
  readonly maxRunning: number;
  /** Clients that one process lets follow replies, shared likewise; those who come back later get a place. */
  readonly maxFollowers: number;
  /** How long a process that is asked to stop lets its replies go on. */
  readonly stopMs: number;
  /** Streaming answers wait this long for the first output, so that an early failure is a plain error. */
  readonly holdHeadersMs: number;
  readonly history: { readonly turns: number; readonly characters: number };
  readonly demoWordMs: number;
  readonly reply: ReplyLimits;
}

export const defaultChatSettings: ChatSettings = {
  leaseMs: 8_000,
  gatherMs: 40,
  maxWaiting: 8,
  maxRunning: 2_000,
  maxFollowers: 5_000,
  stopMs: 20_000,
  holdHeadersMs: 5_000,
  history: { turns: 100, characters: 120_000 },
  demoWordMs: 15,
  reply: {
    totalMs: 300_000,
    firstOutputMs: 30_000,
    betweenOutputsMs: 30_000,
    toolMs: 60_000,
    steps: 8,
    replyBytes: 1_000_000,
    retryDelaysMs: [500, 1_500],
  },
};
