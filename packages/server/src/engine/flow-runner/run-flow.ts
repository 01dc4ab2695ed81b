import { describeError } from "./error-text.ts";
import { leftBehind } from "./left-behind.ts";
import { RunState } from "./run-state.ts";
import type { RunOptions, RunOutcome } from "./run-types.ts";
import { makeRound } from "./scope-run.ts";
import type { ScopeEnd, ScopeRound } from "./scope-types.ts";

/**
 * Runs a compiled flow in memory until it has ended, or until nothing is left to do before a suspended node is
 * answered. It rejects only where a checkpoint could not be saved.
 */
export function runFlow(options: RunOptions): Promise<RunOutcome> {
  const { flow, run: identity, trigger, data, vars, signal, checkpoints } = options;
  return new Promise((resolve) => {
    const abort = () => run.end({ kind: "aborted" });
    const run = new RunState(options, (settle, status) => {
      signal?.removeEventListener("abort", abort);
      root.halt(status);
      resolve(settle());
    });
    const root: ScopeRound = makeRound({
      run,
      scope: flow.root,
      keyOf: (nodeId) => nodeId,
      memory: options.memory,
      variables: { trigger: { ...trigger }, data, run: identity, ...(vars && { vars }) },
      nodes: {},
      enteredMs: run.startedAtMs,
      isFailureHandled: false,
      onEnd: (end) =>
        endRun(
          run,
          end,
          flow.root.last.map(({ id }) => id),
        ),
    });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    else {
      if (checkpoints.restored.size > 0) run.withdrawNow(leftBehind(flow, checkpoints.restored));
      run.turn("", () => root.start());
    }
  });
}

function endRun(run: RunState, end: ScopeEnd, lastIds: readonly string[]): void {
  switch (end.kind) {
    case "done": {
      const output = Object.fromEntries(
        lastIds.filter((id) => id in end.nodes).map((id) => [id, end.nodes[id]]),
      );
      const fault = run.values.faultOf({ kind: "return", value: output });
      if (fault === undefined) run.end({ kind: "completed", output: output as Record<string, unknown> });
      else run.end(failed(fault, lastIds[0] ?? ""));
      return;
    }
    case "failed":
      run.end(failed(end.failure, end.failure.nodeId));
      return;
    case "halted":
  }
}

function failed(error: unknown, nodeId: string) {
  return { kind: "failed" as const, error: { ...describeError(error), nodeId }, isDeliberate: false };
}
