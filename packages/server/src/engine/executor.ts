import { overrideInputs } from "../domain/flow/overrides.ts";
import type { ClaimedRun } from "../domain/run.ts";
import { Fenced } from "./fenced.ts";
import type { Leaving } from "./leaving.ts";
import type { RunStop, StopReason } from "./run-stop.ts";
import type { RunTracer } from "./run-tracer.ts";
import type { RunWriter } from "./run-writer.ts";
import { runFlow } from "./flow-runner/run-flow.ts";
import type { CheckpointPort, InterruptedStatus, NodeRecord } from "./flow-runner/run-types.ts";
import type { NodeServices, NodeType, ResolvedCredential } from "./nodes/node-type.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import type { LiveNodes, LiveRun } from "../operations/runs/live-nodes.ts";
import type { EngineMetrics } from "../telemetry/metrics.ts";
import type { StoredWait } from "../storage/runs/load-checkpoints.ts";
import type { WaitDesk } from "./wait-desk.ts";
import type { RunMemory } from "./run-memory.ts";
import type { RunWaits } from "./waits.ts";
import { isLarge, writtenBytes } from "./write-large.ts";
import { countEnded, saveInPortions, writeOutcome } from "./write-outcome.ts";
import { toTriggerEnvelope } from "./trigger-envelope.ts";

export interface ExecutorParts {
  readonly library: FlowLibrary;
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly services: NodeServices;
  readonly writer: RunWriter;
  readonly desk: WaitDesk;
  beforeEffect(): Promise<void> | undefined;
  resolveCredential(organizationId: string, credentialId: string): Promise<ResolvedCredential>;
  /** The link that answers an approval. */
  resumeUrl(organizationId: string, runId: string, nodeKey: string): string;
  /** Whoever watches the runs of this process looks here. */
  readonly live?: LiveNodes;
  readonly metrics?: Pick<EngineMetrics, "nodes" | "epochsLost"> | undefined;
  /** Where somebody collects traces. */
  readonly tracer?: RunTracer | undefined;
}

interface Execution {
  readonly stop: RunStop;
  readonly memory: RunMemory;
  readonly leaving: Leaving;
  readonly onExecuted: () => void;
}

/** One run of a worker, from claim to its end: load, execute, and exactly one writing verb for what came out. */
export async function executeRun(
  claimed: ClaimedRun,
  parts: ExecutorParts,
  execution: Execution,
): Promise<void> {
  const live = parts.live?.begin(claimed.id);
  let waits: RunWaits | undefined;
  try {
    const taken = execution.memory.take(claimed);
    const run = taken instanceof Promise ? await taken : taken;
    const earlier = isFirst(run) ? nothing(run) : await execution.memory.load(() => parts.writer.load(run));
    waits = parts.desk.open(run, earlier.waits);
    await executeWith(run, parts, execution, { earlier, live, waits });
  } catch (error) {
    if (!(error instanceof Fenced)) throw error;
    parts.metrics?.epochsLost.inc();
  } finally {
    waits?.close();
    live?.end();
  }
}

interface Prepared {
  readonly earlier: Earlier;
  readonly live: LiveRun | undefined;
  readonly waits: RunWaits;
}

async function executeWith(
  run: ClaimedRun,
  parts: ExecutorParts,
  { stop, memory, leaving, onExecuted }: Execution,
  { earlier: { records: known, copied, startedAtMs }, live, waits }: Prepared,
): Promise<void> {
  const traced = parts.tracer?.begin(run);
  let isOpen = known.length > 0;
  // What was copied was paid for by the run it comes from.
  let saved = countEnded(copied.size === 0 ? known : known.filter((record) => !copied.has(record)));
  const save: CheckpointPort["save"] = async (records, bytes) => {
    const isNew = !isOpen;
    isOpen ||= records.some(({ status }) => status !== "COMPLETED");
    if (isLarge({ bytes })) await saveInPortions(run, { records, isNew }, parts.writer);
    else await parts.writer.checkpoint(run, { records, isNew });
    saved += countEnded(records);
    live?.stored(records);
  };
  const flow = await memory.flow(() => parts.library.compiled(run.organizationId, run.flowId, run.version));
  const outcome = await runFlow({
    flow,
    // Asked for only where the flow could tell.
    startedAtMs: startedAtMs ?? (flow.readsClock ? await parts.writer.findStart(run) : undefined),
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
    // One value for the whole life of the run, whatever is set meanwhile.
    vars: flow.readsVariables ? await parts.writer.findVariables(run) : undefined,
    overrides: run.inputs && overrideInputs(flow, run.inputs).overrides,
    services: parts.services,
    resolveCredential: (id) => parts.resolveCredential(run.organizationId, id),
    resumeUrl: (nodeKey) => parts.resumeUrl(run.organizationId, run.id, nodeKey),
    checkpoints: {
      restored:
        known.length === 0 ? NOTHING_RESTORED : new Map(known.map((record) => [record.nodeKey, record])),
      save: (records, bytes) => memory.write(writtenBytes({ bytes }), () => save(records, bytes)),
    },
    waits,
    signal: stop,
    memory,
    leaving,
    interruption: () => stop.reason && INTERRUPTION[stop.reason],
    beforeEffect: () => parts.beforeEffect(),
    onNode: (change) => {
      live?.publish(change);
      if (change.endedAt === undefined) return;
      parts.metrics?.nodes.observe((change.endedAt - change.startedAt) / 1000, change.type, change.status);
      traced?.node(change, flow);
    },
    traceparent: traced && ((nodeKey) => traced.traceparent(nodeKey)),
  });
  onExecuted();
  const { reason } = stop;
  const ended = await memory.write(writtenBytes(outcome), () =>
    writeOutcome(run, outcome, { save, saved: () => saved, waits, writer: parts.writer, reason }),
  );
  if (traced && ended !== undefined) traced.end(ended, startedAtMs);
}

/**
 * What an abort makes of the nodes under way. A run that was given back goes on elsewhere, and they do too; one that only
 * waited ends so by itself, without a reason.
 */
const INTERRUPTION: Readonly<Record<StopReason, InterruptedStatus | undefined>> = {
  "timed-out": "TIMED_OUT",
  lost: "CANCELED",
  released: undefined,
};

interface Earlier {
  readonly records: readonly NodeRecord[];
  readonly copied: ReadonlySet<NodeRecord>;
  readonly waits: readonly StoredWait[];
  readonly startedAtMs: number | undefined;
}

/** Only a run that has been in other hands, waited or was forked can have something behind it. */
function isFirst({ epoch }: ClaimedRun): boolean {
  return epoch === 1;
}

const NO_RECORDS: ReadonlySet<NodeRecord> = new Set();
const NOTHING_RESTORED: ReadonlyMap<string, NodeRecord> = new Map();

function nothing({ startedAtMs }: ClaimedRun): Earlier {
  return { records: [], copied: NO_RECORDS, waits: [], startedAtMs };
}
