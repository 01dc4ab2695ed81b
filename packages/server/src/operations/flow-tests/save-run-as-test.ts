import type { SavedTest, SaveTestBody } from "@millrace/contract/manage/replays";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { findAnswer } from "../../domain/flow-test/find-answer.ts";
import { Redaction } from "../../domain/flow-test/redaction.ts";
import { expectResult, testOfRun } from "../../domain/flow-test/test-of-run.ts";
import { writeYaml } from "../../domain/documents/write-yaml.ts";
import { overrideInputs } from "../../domain/flow/overrides.ts";
import { type Principal, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findRecordedRuns } from "../../storage/backtest/find-recorded-runs.ts";
import type { Db } from "../../storage/pool.ts";
import type { ReplayDesk } from "../backtest/replay-desk.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { findSeenRun } from "../run-values/find-seen-run.ts";
import { inSlices } from "../flows/in-slices.ts";

export interface SaveTestContext {
  readonly db: Db;
  readonly catalogue: NodeCatalogue;
  readonly library: Pick<FlowLibrary, "compiled">;
  readonly replays: ReplayDesk;
}

const MAX_RUN_BYTES = 1_000_000;
const MAX_REPLAY_MS = 10_000;

/**
 * A test of what a run did. Its values are replaced unless somebody says that they may be kept, and what it expects is what the
 * flow makes of those that are there then, so it passes; where they lead the flow elsewhere, that is said.
 */
export async function saveRunAsTest(
  { db, catalogue, library, replays }: SaveTestContext,
  principal: Principal,
  runId: string,
  { keep = [], id, name }: SaveTestBody,
): Promise<SavedTest> {
  const { run: seen } = await findSeenRun(db, principal, runId);
  const { organizationId, flowId, version, status } = seen;
  requireRole(principal, organizationId, "member");
  if (status !== "COMPLETED" && status !== "FAILED")
    throw refused(`is ${status}; only a run that is COMPLETED or FAILED can be a test`);
  const [run] = await findRecordedRuns(db, organizationId, [runId], MAX_RUN_BYTES);
  if (run === undefined) throw new Refusal("run_not_found", { messageParams: { runId } });
  if (run.bytes > MAX_RUN_BYTES) throw refused("has recorded more than 1 MB; choose a smaller run");
  const records = run.records ?? [];
  const redaction = new Redaction(keep);
  const named = {
    id: id ?? `${flowId}-${runId.slice(-6)}`.slice(-64),
    name: name ?? `As ${runId} has ended: ${status}`,
  };
  const startedAtMs = run.startedAt?.getTime() ?? 0;
  const flow = await library.compiled(organizationId, flowId, version);
  // They are plain: whoever may see the run may see them.
  const vars = flow.readsVariables ? run.variables : null;
  const ofFlow = { organizationId, flowId };
  const test = {
    ...(await inSlices(ofFlow, testOfRun({ ...run, startedAtMs, records }, named, redaction, catalogue))),
    ...(vars && { vars }),
  };
  const result = await replays.take(organizationId, (replay) =>
    replay({
      flow,
      run: { id: `run_${test.id}`, attempt: 1, flowId, organizationId },
      trigger: test.trigger,
      data: test.data ?? {},
      vars: test.vars,
      overrides: overrideInputs(flow, test.inputs ?? {}).overrides,
      startedAtMs,
      signal: AbortSignal.timeout(MAX_REPLAY_MS),
      answer: (call) => findAnswer(test.answers, call),
    }),
  );
  const document = expectResult(test, result);
  const yaml = await inSlices(ofFlow, writeYaml(document));
  const began = new Set(result.path.map(({ nodeKey }) => nodeKey));
  const isSameWay = began.size === records.length && records.every(({ nodeKey }) => began.has(nodeKey));
  const passes = result.status === "COMPLETED" || result.status === "FAILED";
  const warnings = [
    ...(passes
      ? []
      : [
          `With these values "${result.unanswered?.nodeKey ?? "the flow"}" calls what the run has not called; keep more of them.`,
        ]),
    ...(isSameWay
      ? []
      : ["With these values the flow goes another way than the run; keep those that its conditions read."]),
  ];
  return {
    document,
    yaml,
    redacted: redaction.redacted,
    kept: redaction.kept,
    sameWay: isSameWay && passes,
    warnings,
  };
}

function refused(message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path: ["runId"], message }] });
}
