import type { EvaluateBody, EvaluatedNode, Evaluation } from "@millrace/contract/manage/replays";
import { evaluatedNodes } from "../../domain/backtest/evaluated-nodes.ts";
import { RecordedAnswers } from "../../domain/backtest/recorded-answers.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { findRecordedRuns } from "../../storage/backtest/find-recorded-runs.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";
import type { BacktestContext } from "./backtest-flow.ts";
import { readGraph } from "./draft-to-replay.ts";
import { replayRecorded } from "./replay-recorded.ts";

const MAX_RUN_BYTES = 5_000_000;
const MAX_NODES = 1_000;

/** Evaluates a graph on what a run has recorded: pure nodes anew, effects as they were. */
export async function evaluateDraft(
  { db, catalogue, replays }: BacktestContext,
  principal: Principal,
  flowId: string,
  { runId, graph }: EvaluateBody,
): Promise<Evaluation> {
  const flow = await managedFlow(db, principal, flowId, "member");
  const { organizationId } = flow;
  const { checked, compiled } = await readGraph({ db, catalogue }, flow, graph);
  if (compiled === undefined)
    return { runId, status: "PENDING", nodes: [], total: 0, errors: [...checked.errors] };
  return replays.take(organizationId, async (replay) => {
    const [run] = await findRecordedRuns(db, organizationId, [runId], MAX_RUN_BYTES);
    if (run === undefined || run.flowId !== flowId)
      throw new Refusal("run_not_found", { messageParams: { runId } });
    if (run.bytes > MAX_RUN_BYTES)
      throw new Refusal("invalid_request_body", {
        issues: [{ path: ["runId"], message: "has recorded more than 5 MB; choose a smaller run" }],
      });
    const records = run.records ?? [];
    const recorded = new RecordedAnswers(records);
    const result = await replayRecorded(replay, compiled, { organizationId, run }, function* (call) {
      const answer = yield* recorded.ofNode(call);
      return answer === undefined || "unknown" in answer ? unlessWait(call.type) : answer;
    });
    const nodes: EvaluatedNode[] = await driveSliced(evaluatedNodes(records, result, catalogue), () =>
      eventLoop.giveWay(organizationId),
    );
    const { status, output, error } = result;
    return {
      runId,
      status: status === "UNANSWERED" ? "PENDING" : status,
      ...(output && { output }),
      ...(error && { error: { name: error.name, message: error.message, nodeId: error.nodeId } }),
      nodes: nodes.slice(0, MAX_NODES),
      total: nodes.length,
      errors: [],
    };
  });
}

/** A wait that was never reached takes its time; a call that was never made is left open. */
function unlessWait(type: string): "pending" | undefined {
  return type === "wait" ? undefined : "pending";
}
