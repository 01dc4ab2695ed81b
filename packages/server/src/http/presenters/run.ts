import type { FlowRun, Run, RunDetail, RunNode } from "@millrace/contract/runs";
import { idTimeMs } from "../../domain/ids.ts";
import type {
  RunErrorRecord,
  RunForkRecord,
  RunNodeRecord,
  RunRecord,
  RunWaitRecord,
} from "../../domain/run-record.ts";
import type { SeenRun } from "../../operations/runs/get-run.ts";
import { RawJson } from "../raw-json.ts";

export function presentFlowRun(run: RunRecord): FlowRun {
  return {
    id: run.id,
    status: run.status,
    taskIdentifier: run.taskIdentifier,
    payload: presentPayload(run),
    tags: [...run.tags],
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
    ...(run.startedAt && { startedAt: run.startedAt.toISOString() }),
    ...(run.completedAt && { completedAt: run.completedAt.toISOString() }),
  };
}

export function presentRun(run: RunRecord): Run {
  return { ...presentFlowRun(run), version: run.version };
}

export function presentRunDetail({ run, resumeUrls, valuesHidden }: SeenRun): RunDetail {
  const waits = run.waits.map((wait) => presentWait(wait, resumeUrls.get(wait.nodeKey)));
  const failed = run.status === "FAILED" || run.status === "CRASHED" || run.status === "TIMED_OUT";
  return {
    ...presentRun(run),
    payload: { ...presentPayload(run), ...(run.data !== null && { data: asStored(run.data) }) },
    ...(run.status === "COMPLETED" && {
      ...(!valuesHidden && { output: asStored(run.output ?? "{}") }),
      duration: durationSeconds(run),
    }),
    ...(failed && run.error && { error: presentError(run.error) }),
    ...(run.status === "PAUSED" && waits.length > 0 && { pause: waits[0] }),
    ...(waits.length > 0 && { waits }),
    ...(run.forkedFrom && { forkedFrom: run.forkedFrom }),
    ...(run.forks.length > 0 && { forks: run.forks.map(presentFork) }),
    ...(valuesHidden && { valuesHidden }),
  };
}

function presentFork({ runId, nodeKey }: RunForkRecord) {
  return { runId, nodeKey, createdAt: new Date(idTimeMs(runId)).toISOString() };
}

function presentWait(
  { nodeId, nodeKey, kind, message, assignees, form, until }: RunWaitRecord,
  resumeUrl: string | undefined,
) {
  return {
    nodeId,
    nodeKey,
    kind,
    ...(message !== undefined && { message }),
    ...(assignees && { assignees: [...assignees] }),
    ...(form && { form }),
    ...(resumeUrl !== undefined && { resumeUrl }),
    ...(until !== undefined && { until }),
  };
}

/** The value of a JSON text that is sent as it was stored. */
function asStored(text: string): Record<string, unknown> {
  return new RawJson(text) as unknown as Record<string, unknown>;
}

export function presentRunNode({ startedAt, endedAt, ...node }: RunNodeRecord): RunNode {
  return {
    nodeKey: node.nodeKey,
    nodeId: node.nodeId,
    type: node.type,
    status: node.status,
    startedAt: new Date(startedAt).toISOString(),
    ...(node.status !== "EXECUTING" && { completedAt: new Date(endedAt).toISOString() }),
    attempts: node.attempts,
    ...(node.input && { input: node.input }),
    ...(node.output && { output: node.output }),
    ...(node.handle !== undefined && { handle: node.handle }),
    ...(node.error && { error: { name: node.error.name, message: node.error.message } }),
    log: [...node.log],
    ...(node.valuesLeftOut && { valuesLeftOut: true }),
    ...(node.valuesHidden && { valuesHidden: true }),
  };
}

function presentError({ name, message, nodeId }: RunErrorRecord): RunDetail["error"] {
  return { name, message, ...(nodeId !== undefined && { nodeId }) };
}

function presentPayload({ organizationId, flowId, triggerSource }: RunRecord): FlowRun["payload"] {
  return { organizationId, flowId, triggerSource };
}

/** Whole milliseconds, so three decimals. */
function durationSeconds({ startedAt, completedAt }: RunRecord): number {
  return startedAt && completedAt ? (completedAt.getTime() - startedAt.getTime()) / 1000 : 0;
}
