import type { BacktestBody, BacktestChange, BacktestResult } from "@millrace/contract/manage/replays";
import {
  asRecorded,
  compareReplay,
  isSameGap,
  type RecordedEnd,
} from "../../domain/backtest/compare-replay.ts";
import { RecordedAnswers } from "../../domain/backtest/recorded-answers.ts";
import { Tally } from "../../domain/backtest/tally.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import type { CompiledFlow } from "../../domain/flow/compile.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Replay, ReplayResult } from "../../domain/replay.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { findRecordedRuns, type RecordedRun } from "../../storage/backtest/find-recorded-runs.ts";
import type { Db } from "../../storage/pool.ts";
import { listRuns } from "../../storage/runs/list-runs.ts";
import { managedFlow } from "../manage-flows/managed-flow.ts";
import { readGraph } from "./draft-to-replay.ts";
import type { ReplayDesk } from "./replay-desk.ts";
import { replayRecorded } from "./replay-recorded.ts";
import { inSlices } from "../flows/in-slices.ts";

export interface BacktestContext {
  readonly db: Db;
  readonly catalogue: NodeCatalogue;
  readonly replays: ReplayDesk;
  readonly library: Pick<FlowLibrary, "compiled">;
}

/** What is read at once; of a run that is larger nothing is. */
const MAX_RUN_BYTES = 1_000_000;
const RUNS_A_READ = 20;
const LANES = 16;
/** For all runs together; whoever asks has waited long enough by then. */
const MAX_MS = 30_000;

/** Replays the newest runs of a flow with another graph, answered by what they have recorded, and says what changes. */
export async function backtestFlow(
  { db, catalogue, replays, library }: BacktestContext,
  principal: Principal,
  flowId: string,
  { last, graph }: BacktestBody,
): Promise<BacktestResult> {
  const flow = await managedFlow(db, principal, flowId, "member");
  const { organizationId } = flow;
  const { checked, compiled } = await readGraph({ db, catalogue }, flow, graph);
  const { errors: validationErrors, warnings } = checked;
  if (compiled === undefined)
    throw new Refusal("flow_validation_failed", { validationErrors, validationWarnings: warnings });
  return replays.take(organizationId, async (replay) => {
    const filters = { flowId, statuses: ["COMPLETED", "FAILED"] as const };
    const listed = await listRuns(db, [organizationId], filters, { list: "backtest", size: last });
    const ids = listed.slice(0, last).map(({ id }) => id);
    const tally = new Tally();
    const untilMs = performance.now() + MAX_MS;
    const one = { replay, compiled, catalogue, library, organizationId };
    let next = 0;
    for (; next < ids.length && performance.now() < untilMs; next += RUNS_A_READ) {
      const part = ids.slice(next, next + RUNS_A_READ);
      await inLanes(await findRecordedRuns(db, organizationId, part, MAX_RUN_BYTES), (run) =>
        replayOne(one, run, tally),
      );
    }
    return { flowId, ...tally.result(), complete: next >= ids.length, warnings: [...warnings] };
  });
}

interface ReplayOne extends Pick<BacktestContext, "catalogue" | "library"> {
  readonly replay: Replay;
  readonly compiled: CompiledFlow;
  readonly organizationId: string;
}

async function replayOne(context: ReplayOne, run: RecordedRun, tally: Tally): Promise<void> {
  const { compiled, catalogue, organizationId } = context;
  const { id: runId, version, status, output, error } = run;
  if (run.bytes > MAX_RUN_BYTES) return tally.skip(runId, "too large");
  const recorded = { status, output, error, records: run.records ?? [] };
  const result = await replayWith(context, compiled, run);
  if (result.status === "CANCELED") return tally.skip(runId, "took too long");
  const flow = { organizationId, flowId: run.flowId };
  const compare = (before: RecordedEnd, after: ReplayResult) =>
    inSlices(flow, compareReplay(before, after, catalogue));
  const change = await compare(recorded, result);
  if (change === undefined) return tally.pass();
  // Branches that raced may end in another order than they did then. That is no change of the graph.
  const own = await replayOwn(context, run);
  const isFaithful = own === undefined || (await compare(recorded, own)) === undefined;
  if (isFaithful) return tally.add({ runId, version, ...change } as BacktestChange);
  tally.note(runId);
  const beside = (await inSlices(flow, isSameGap(own, result)))
    ? undefined
    : await compare(asRecorded(own), result);
  if (beside === undefined) tally.pass();
  else tally.add({ runId, version, ...beside } as BacktestChange);
}

function replayWith(
  { replay, organizationId }: ReplayOne,
  flow: CompiledFlow,
  run: RecordedRun,
): Promise<ReplayResult> {
  const recorded = new RecordedAnswers(run.records ?? []);
  return replayRecorded(replay, flow, { organizationId, run }, (call) => recorded.ofSameInput(call));
}

/** The run once more as it was; undefined where its version is gone or does not end. */
async function replayOwn(context: ReplayOne, run: RecordedRun): Promise<ReplayResult | undefined> {
  const { library, organizationId } = context;
  const flow = await library.compiled(organizationId, run.flowId, run.version).catch(() => undefined);
  const result = flow && (await replayWith(context, flow, run));
  return result?.status === "CANCELED" ? undefined : result;
}

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
