import type { ChangedRun } from "../domain/changed-run.ts";
import { nodeTypes } from "../engine/nodes/registry.ts";
import { dispatcher } from "../engine/duties/dispatcher.ts";
import { oldTransactions } from "../engine/duties/old-transactions.ts";
import { reaper } from "../engine/duties/reaper.ts";
import { retention } from "../engine/duties/retention.ts";
import { Engine } from "../engine/engine.ts";
import { DRAIN_MS } from "../engine/worker.ts";
import type { AgentChat } from "../engine/nodes/node-type.ts";
import type { ResumeLinks } from "../operations/runs/resume-links.ts";
import { hasCodeFlows } from "../storage/flows/has-code-flows.ts";
import { SharedMemory } from "../lifecycle/shared-memory.ts";
import type { Foundation } from "./foundation.ts";
import { composeNodeServices } from "./node-services.ts";
import { composeTracer } from "./traces.ts";

/** Whoever just starts has better to do than to start children for code that may come. */
const WARM_AFTER_MS = 1_500;

/** A worker with everything it needs, started; its duties keep the queue moving for all processes. */
export async function composeEngine(
  foundation: Foundation,
  chat: AgentChat,
  links: ResumeLinks,
): Promise<Engine> {
  const { config, pools, secrets, ids, library, clock, logger, startDuty, shutdown, changes, metrics } =
    foundation;
  const nodes = composeNodeServices({
    pool: pools.engine,
    secrets,
    egressAllow: config.egressAllow,
    chat,
    nowMs: () => clock.nowMs(),
  });
  shutdown.add("node services", nodes.close);
  const memory = new SharedMemory(config.runMemoryMb * 1_000_000);
  const engine = new Engine({
    pool: pools.engine,
    ids,
    library,
    nowMs: () => clock.nowMs(),
    readClock: () => clock.read(),
    logger,
    capacity: config.workerConcurrency,
    memory,
    processId: foundation.processId,
    role: foundation.role,
    version: foundation.version,
    executor: {
      nodeTypes,
      services: nodes.services,
      resolveCredential: nodes.resolveCredential,
      live: changes.nodes,
      tracer: composeTracer(foundation),
      resumeUrl: (organizationId, runId, nodeKey) => links.make(organizationId, runId, nodeKey),
    },
    startDuty,
    onChanged: (changed) => changes.publish(changed),
    metrics,
  });
  const parts = {
    pool: pools.engine,
    onChanged: (changed: readonly ChangedRun[]) => changes.publish(changed),
    metrics,
    dispatch: (organizationId: string) => engine.dispatch(organizationId),
    wake: () => engine.wake(),
  };
  shutdown.add("sign-off", () => engine.signOff());
  metrics.onCollect(() => {
    metrics.runsHere.set(engine.worker.size);
    metrics.runMemory.set(memory.bytes);
  });
  await engine.start();
  const warming = setTimeout(() => {
    // Without it the first call starts the child, as it would in a workspace without code.
    hasCodeFlows(pools.engine).then(
      (found) => found && nodes.warm(),
      () => {},
    );
  }, WARM_AFTER_MS);
  shutdown.add("sandbox warm-up", () => clearTimeout(warming));
  startDuty(reaper(parts));
  startDuty(dispatcher(parts));
  startDuty(
    retention({ pool: pools.engine, retentionDays: config.retentionDays, nowMs: () => clock.nowMs() }),
  );
  startDuty(oldTransactions({ pool: pools.engine, logger, metrics }));
  changes.onChanged(() => engine.hear());
  // Stopped before its duties: while the last runs end, the heartbeat still says that this process lives.
  shutdown.add("worker", (elapsedMs) => engine.worker.drain(DRAIN_MS - elapsedMs));
  return engine;
}
