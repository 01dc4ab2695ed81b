import type { ForkBody } from "@millrace/contract/fork";
import { overrideInputs } from "../../domain/flow/overrides.ts";
import { idempotencyOf } from "../../domain/new-run.ts";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isTerminal } from "../../domain/run-status.ts";
import { findForkOrigin } from "../../storage/forks/find-forks.ts";
import { findRunToFork, type RunToFork } from "../../storage/forks/find-run-to-fork.ts";
import { requireInput } from "../runs/require-input.ts";
import { requireNeeds } from "../runs/runnable-flow.ts";
import { findReplay, type RunStart, startFork, type StartContext } from "../runs/start-run.ts";
import { forkVersion } from "./fork-version.ts";
import { type ForkContext, makeFork } from "./make-fork.ts";

export interface RunFork {
  readonly start: RunStart;
  readonly forkedFrom: { readonly runId: string; readonly nodeKey: string };
  readonly warnings: readonly string[];
}

/** POST /api/runs/{runId}/fork: a new run that goes on from what an ended one has done. */
export async function forkRun(
  context: StartContext & ForkContext,
  principal: Principal,
  runId: string,
  body: ForkBody,
): Promise<RunFork> {
  const run = await findRunToFork(context.db, [...principal.organizations.keys()], runId);
  if (!run || !reaches(principal, run.organizationId)) throw new Refusal("run_not_found");
  requireChangeRight(requireMembership(principal, run.organizationId));
  return forkKnownRun(context, run, body);
}

/** The same for whoever has the right to already. */
export async function forkKnownRun(
  context: StartContext & ForkContext,
  run: RunToFork,
  body: ForkBody,
): Promise<RunFork> {
  const { organizationId, id } = run;
  const { idempotencyKey } = body;
  const idempotency = idempotencyKey === undefined ? undefined : idempotencyOf("fork", id, idempotencyKey);
  const known = idempotency && (await findReplay(context, organizationId, idempotency));
  if (known) return replayed(context, run, known);
  if (!isTerminal(run.status))
    throw new Refusal("run_not_forkable", { messageParams: { runId: id, status: run.status } });
  const { data, inputs, trigger, outputs = {}, tags } = body;
  const warnings = await checkInputs(context, run, body);
  const made = await makeFork(context, run, {
    from: fromOf(run, body),
    version: body.version,
    outputs,
    given: {
      triggerSource: "api",
      ...(tags && { tags: [...new Set(tags)] }),
      idempotency,
      data,
      inputs,
      trigger,
    },
    goesOn: !data && !inputs && !trigger && Object.keys(outputs).length === 0,
  });
  const start = await startFork(context, organizationId, made.forks);
  if (start.replayed) return replayed(context, run, start);
  const nodeKey = made.forks[0]!.fromNodeKey;
  return { start, forkedFrom: { runId: id, nodeKey }, warnings: [...warnings, ...made.warnings] };
}

function fromOf({ status }: RunToFork, { from }: ForkBody): string {
  if (from === "failed" && status === "COMPLETED")
    throw new Refusal("invalid_request_body", {
      issues: [{ path: ["from"], message: 'the run has completed: name a node to begin with, or "start"' }],
    });
  return from ?? (status === "COMPLETED" ? "start" : "failed");
}

/** What is given is checked as for a trigger; what was given to the run before may not fit any more. */
async function checkInputs(
  context: StartContext,
  run: RunToFork,
  { inputs, trigger, version: asked }: ForkBody,
): Promise<string[]> {
  const { version } = await forkVersion(context, run, asked);
  const { issues, overrides, warnings } = overrideInputs(version.compiled, inputs ?? run.inputs ?? {});
  if (inputs && issues.length > 0)
    throw new Refusal("invalid_request_body", {
      issues: issues.map(({ path, message }) => ({ path: path.slice(1), message })),
    });
  requireNeeds(version.compiled, overrides, (key) => ["inputs", key]);
  if (trigger) {
    const { organizationId, flowId } = run;
    const start = { organizationId, flowId, version, overrides, body: trigger.body };
    await requireInput(start, ["trigger", "body"]);
  }
  return [
    ...warnings,
    ...issues.map(({ path, message }) => `The input "${path[2]}" was dropped: ${message}`),
  ];
}

async function replayed({ db }: StartContext, run: RunToFork, start: RunStart): Promise<RunFork> {
  const origin = await findForkOrigin(db, run.organizationId, start.runId);
  return { start, forkedFrom: origin ?? { runId: run.id, nodeKey: "" }, warnings: [] };
}
