import type { CompiledFlow } from "../../domain/flow/compile.ts";
import { overrideInputs } from "../../domain/flow/overrides.ts";
import type { Replay, ReplayRequest, ReplayResult } from "../../domain/replay.ts";
import type { RecordedRun } from "../../storage/backtest/find-recorded-runs.ts";

/** A run that is replayed may take so long of the clock on the wall: code in it has limits of its own. */
const MAX_REPLAY_MS = 10_000;

/** The flow with what a recorded run was started with, at the time at which it was. */
export function replayRecorded(
  replay: Replay,
  flow: CompiledFlow,
  { organizationId, run }: { readonly organizationId: string; readonly run: RecordedRun },
  answer: ReplayRequest["answer"],
): Promise<ReplayResult> {
  const { id, flowId, attempt, trigger, data, inputs, startedAt } = run;
  return replay({
    flow,
    run: { id, attempt, flowId, organizationId },
    trigger: trigger ?? undefined,
    data: data ?? {},
    vars: run.variables,
    overrides: inputs ? overrideInputs(flow, inputs).overrides : undefined,
    startedAtMs: startedAt?.getTime() ?? 0,
    signal: AbortSignal.timeout(MAX_REPLAY_MS),
    answer,
  });
}
