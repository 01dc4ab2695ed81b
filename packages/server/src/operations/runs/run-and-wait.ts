import { Refusal } from "../../domain/refusal.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { newRun } from "../../domain/new-run.ts";
import { MAX_DEPTH, tooDeep } from "../../domain/run.ts";
import { isTerminal } from "../../domain/run-status.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunDetail } from "../../storage/runs/find-run.ts";
import type { RunFlowTool } from "../agent-chat/flow-tool.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { runnableFlow } from "./runnable-flow.ts";
import type { RunWatch } from "./run-watch.ts";
import type { StartRun } from "./start-run.ts";

export interface RunAndWaitParts {
  readonly db: Db;
  readonly library: FlowLibrary;
  readonly ids: IdMaker;
  readonly start: StartRun;
  readonly watch: RunWatch;
}

/** Runs a flow for somebody who needs its result: the flow tools of agents. Giving up leaves the run running. */
export const makeRunAndWait =
  ({ db, library, ids, start, watch }: RunAndWaitParts): RunFlowTool =>
  async ({ organizationId, flowId, data, depth, signal }) => {
    if (depth + 1 > MAX_DEPTH) return { status: "FAILED", error: tooDeep(flowId) };
    const { flow, version } = await runnableFlow(library, organizationId, flowId);
    const { runId } = await start.start(
      organizationId,
      newRun(ids, flow, version, { triggerSource: "subflow", data, depth: depth + 1 }),
    );
    const read = async () => {
      const run = await findRunDetail(db, [organizationId], runId);
      if (!run) throw new Refusal("run_not_found");
      return run;
    };
    const first = await read();
    signal.throwIfAborted();
    if (!isTerminal(first.status)) {
      let stopListening = () => {};
      const ended = new Promise<void>((resolve, reject) => {
        stopListening = watch.subscribe(first, {
          onUpdate: ({ status }) => {
            if (isTerminal(status)) resolve();
          },
        });
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      await ended.finally(() => stopListening());
    }
    const { status, output, error } = await read();
    return { status, ...(output !== null && { output: JSON.parse(output) }), ...(error && { error }) };
  };
