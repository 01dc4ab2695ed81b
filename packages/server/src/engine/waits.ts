import { creditsToReserve } from "../domain/credits.ts";
import type { IdMaker } from "../domain/ids.ts";
import { type ClaimedRun, MAX_DEPTH, tooDeep } from "../domain/run.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import type { Wait } from "../storage/runs/pause-run.ts";
import type { PendingSuspension } from "./flow-runner/run-types.ts";
import type { Suspension } from "./nodes/node-type.ts";

interface Parts {
  readonly ids: IdMaker;
  readonly library: FlowLibrary;
  readonly nowMs: number;
}

const CHILD_MAX_DURATION_MS = 3_600_000;

/** What the run will wait for, ready to be stored: times as moments, sub-flows as runs to be made. */
export function toWaits(
  run: ClaimedRun,
  suspensions: readonly PendingSuspension[],
  parts: Parts,
): Promise<Wait[]> {
  return Promise.all(
    suspensions.map(async ({ nodeKey, nodeId, suspension }): Promise<Wait> => ({
      nodeKey,
      nodeId,
      kind: suspension.kind,
      ...(await details(run, suspension, parts)),
    })),
  );
}

async function details(run: ClaimedRun, suspension: Suspension, parts: Parts): Promise<Partial<Wait>> {
  switch (suspension.kind) {
    case "wait":
      return { dueAt: new Date(suspension.untilMs) };
    case "approval":
      return {
        message: suspension.message,
        ...(suspension.timeoutMs !== undefined && { dueAt: new Date(parts.nowMs + suspension.timeoutMs) }),
      };
    case "run-flow":
      return child(run, suspension, parts);
  }
}

async function child(
  run: ClaimedRun,
  suspension: Suspension & { kind: "run-flow" },
  { ids, library }: Parts,
): Promise<Partial<Wait>> {
  const { flowId, data, trigger, wait } = suspension;
  if (run.depth + 1 > MAX_DEPTH) {
    const { name, message } = tooDeep(flowId);
    return refused(name, message);
  }
  const flow = await library.find(flowId);
  if (!flow || flow.organizationId !== run.organizationId)
    return refused("FlowNotFound", `There is no flow ${flowId} in this organization.`);
  const { validation, nodeCount } = await library.checked(flow);
  if (validation.errors.length > 0)
    return refused("FlowInvalid", `The flow ${flowId} cannot run: ${validation.errors[0]}`);
  const id = ids.make("run");
  return {
    child: {
      id,
      flowId,
      version: flow.version,
      depth: run.depth + 1,
      maxDurationMs: CHILD_MAX_DURATION_MS,
      credits: creditsToReserve(nodeCount),
      data,
      trigger: trigger ?? null,
    },
    ...(!wait && { answer: { runId: id, status: "WAITING" } }),
  };
}

function refused(name: string, message: string): Partial<Wait> {
  return { answer: { error: { name, message } } };
}
