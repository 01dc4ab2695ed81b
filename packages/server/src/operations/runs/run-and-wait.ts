import { Refusal } from "../../domain/refusal.ts";
import { newRun } from "../../domain/new-run.ts";
import { MAX_DEPTH, tooDeep } from "../../domain/run.ts";
import { findRunDetail } from "../../storage/runs/find-run.ts";
import type { FlowToolCall, FlowToolResult } from "../agent-chat/flow-tool.ts";
import { runnableFlow } from "./runnable-flow.ts";
import type { RunWatch } from "./run-watch.ts";
import { type StartContext, startRun } from "./start-run.ts";
import { untilEnded } from "./until-ended.ts";

/** Runs a flow for somebody who needs its result: the flow tools of agents. Giving up leaves the run running. */
export async function runAndWait(
  context: StartContext & { readonly watch: RunWatch },
  { organizationId, flowId, data, body, depth, signal }: FlowToolCall,
): Promise<FlowToolResult> {
  const { db, library, ids, watch } = context;
  if (depth + 1 > MAX_DEPTH) return { status: "FAILED", error: tooDeep(flowId) };
  const { flow, version } = await runnableFlow(library, organizationId, flowId, body);
  const { runId } = await startRun(
    context,
    organizationId,
    newRun(ids, flow, version, {
      triggerSource: "subflow",
      data,
      trigger: body === undefined ? undefined : { body },
      depth: depth + 1,
    }),
  );
  const read = async () => {
    const run = await findRunDetail(db, [organizationId], runId);
    if (!run) throw new Refusal("run_not_found");
    return run;
  };
  const first = await read();
  await untilEnded(watch, first, signal);
  signal.throwIfAborted();
  const { status, output, error } = await read();
  return { status, ...(output !== null && { output: JSON.parse(output) }), ...(error && { error }) };
}
