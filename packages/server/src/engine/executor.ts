import { overrideInputs } from "../domain/flow/overrides.ts";
import type { ClaimedRun } from "../domain/run.ts";
import { Fenced, type RunWriter } from "./run-writer.ts";
import { runFlow } from "./flow-runner/run-flow.ts";
import type { RunOutcome } from "./flow-runner/run-types.ts";
import type { NodeServices, NodeType, ResolvedCredential } from "./nodes/node-type.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import type { LiveNodes, LiveRun } from "../operations/runs/live-nodes.ts";
import { restore, type Restored } from "./restore.ts";
import { writeOutput, writeRecords } from "./write-large.ts";
import { toTriggerEnvelope } from "./trigger-envelope.ts";

export interface ExecutorParts {
  readonly library: FlowLibrary;
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly services: NodeServices;
  readonly writer: RunWriter;
  resolveCredential(organizationId: string, credentialId: string): Promise<ResolvedCredential>;
  /** Whoever watches the runs of this process looks here. */
  readonly live?: LiveNodes;
}

/** Why a run was stopped from outside; the reason of its AbortSignal. */
export type StopReason = "timed-out" | "released" | "lost";

interface Execution {
  readonly signal: AbortSignal;
  readonly onExecuted: () => void;
}

/** One run of a worker, from claim to its end: load, execute, and exactly one writing verb for what came out. */
export async function executeRun(run: ClaimedRun, parts: ExecutorParts, execution: Execution): Promise<void> {
  const live = parts.live?.begin(run.id);
  try {
    await loadAndExecute(run, parts, { ...execution, live });
  } finally {
    live?.end();
  }
}

async function loadAndExecute(
  run: ClaimedRun,
  parts: ExecutorParts,
  { signal, onExecuted, live }: Execution & { readonly live: LiveRun | undefined },
): Promise<void> {
  const earlier = await loadEarlier(run, parts);
  let saved = earlier.restored.size;
  let outcome: RunOutcome;
  try {
    if (earlier.answered.length > 0) await parts.writer.checkpoint(run, earlier.answered);
    for (const record of earlier.answered) live?.publish(record);
    live?.stored(earlier.answered);
    outcome = await runFlow({
      flow: await parts.library.compiled(run.organizationId, run.flowId, run.version),
      nodeTypes: parts.nodeTypes,
      run: {
        id: run.id,
        attempt: run.attempt,
        flowId: run.flowId,
        organizationId: run.organizationId,
        depth: run.depth,
      },
      trigger: toTriggerEnvelope(run.trigger),
      data: run.data ?? {},
      overrides: await overridesOf(run, parts.library),
      services: parts.services,
      resolveCredential: (id) => parts.resolveCredential(run.organizationId, id),
      checkpoints: {
        ...earlier,
        save: async (records, bytes) => {
          await parts.writer.checkpoint(run, await writeRecords(run.organizationId, { records, bytes }));
          saved += records.length;
          live?.stored(records);
        },
      },
      signal,
      onNode: live && ((change) => live.publish(change)),
    });
  } catch (error) {
    if (error instanceof Fenced) return;
    throw error;
  }
  onExecuted();
  await writeOutcome(run, outcome, {
    saved,
    writer: parts.writer,
    reason: signal.reason as StopReason | undefined,
  });
}

interface Ending {
  readonly saved: number;
  readonly writer: RunWriter;
  readonly reason: StopReason | undefined;
}

async function writeOutcome(
  run: ClaimedRun,
  outcome: RunOutcome,
  { saved, writer, reason }: Ending,
): Promise<void> {
  const cost = saved + outcome.records.length;
  const records = await writeRecords(run.organizationId, outcome);
  switch (outcome.kind) {
    case "completed":
      return writer.complete(run, { output: await writeOutput(run.organizationId, outcome), records, cost });
    case "failed":
      return writer.fail(run, { error: outcome.error, records, cost });
    case "suspended":
      return writer.pause(run, { suspensions: outcome.suspensions, records });
    case "aborted":
      if (reason === "timed-out") return writer.timeOut(run, { records, cost });
      if (reason === "released") return writer.release(run, records);
      // Somebody else owns the run now, or it has ended: nothing of it is ours to write.
      return undefined;
  }
}

const NOTHING: Restored = { restored: new Map(), failedWaits: new Map(), answered: [] };

/** Only a run that has been in other hands, or waited, can have left something behind. */
async function loadEarlier(run: ClaimedRun, { writer }: ExecutorParts): Promise<Restored> {
  return run.epoch === 1 ? NOTHING : restore(await writer.load(run));
}

async function overridesOf(run: ClaimedRun, library: FlowLibrary) {
  if (!run.inputs) return undefined;
  const flow = await library.compiled(run.organizationId, run.flowId, run.version);
  return overrideInputs(flow, run.inputs).overrides;
}
