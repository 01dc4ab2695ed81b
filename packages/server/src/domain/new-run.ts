import { createHash } from "node:crypto";
import { DEFAULT_DURATION_SECONDS } from "@millrace/contract/trigger";
import type { TriggerSource } from "@millrace/contract/run-status";
import { creditsToReserve } from "./credits.ts";
import type { IdMaker } from "./ids.ts";
import type { FlowRecord } from "./records.ts";

/** A run to be made, whoever asked for it: API, webhook, schedule, agent or another run. */
export interface NewRun {
  readonly id: string;
  readonly flowId: string;
  readonly version: string;
  readonly triggerSource: TriggerSource;
  readonly tags: readonly string[];
  readonly isTest: boolean;
  readonly delayMs: number;
  readonly maxAttempts: number;
  readonly maxDurationMs: number;
  readonly credits: number;
  /** How many flows and agents that called each other stand above it. */
  readonly depth: number;
  /** The node that started it in another run. */
  readonly parent?: { readonly runId: string; readonly nodeKey: string };
  readonly idempotency?: Idempotency;
  readonly data?: unknown;
  readonly inputs?: unknown;
  readonly trigger?: unknown;
}

/** A second trigger with the same key is answered with the run of the first. */
export interface Idempotency {
  readonly scope: string;
  readonly keyHash: Buffer;
}

/** A run of this version of a flow, with what whoever asks may leave out. */
export function newRun(
  ids: IdMaker,
  flow: Pick<FlowRecord, "id" | "version">,
  { nodeCount }: { readonly nodeCount: number },
  given: Pick<NewRun, "triggerSource"> & Partial<Omit<NewRun, "id" | "flowId" | "version" | "credits">>,
): NewRun {
  return {
    id: ids.make("run"),
    flowId: flow.id,
    version: flow.version,
    triggerSource: given.triggerSource,
    tags: given.tags ?? [],
    isTest: given.isTest ?? false,
    delayMs: given.delayMs ?? 0,
    maxAttempts: given.maxAttempts ?? 1,
    maxDurationMs: given.maxDurationMs ?? DEFAULT_DURATION_SECONDS * 1000,
    credits: creditsToReserve(nodeCount),
    depth: given.depth ?? 0,
    parent: given.parent,
    idempotency: given.idempotency,
    data: given.data,
    inputs: given.inputs,
    trigger: given.trigger,
  };
}

/** Keys of different origins never meet. */
export function idempotencyOf(
  origin: "api" | "webhook" | "schedule" | "fork" | "failure",
  /** The flow; of a fork, the run that it goes on from. */
  id: string,
  key: string,
): Idempotency {
  return { scope: `${origin}:${id}`, keyHash: createHash("sha256").update(key).digest() };
}
