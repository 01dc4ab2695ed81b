import type { RunDetail, RunNode } from "@millrace/contract/runs";
import type { RunStatus } from "@millrace/contract/run-status";
import type { Command } from "commander";
import { type CliDependencies, UsageError, wholeNumber } from "./cli.ts";
import { jsonObject } from "./json-option.ts";
import { NodeView } from "./node-view.ts";
import { pauseText } from "./pause-text.ts";
import { registerRunsDiff } from "./runs-diff.ts";
import { registerRunsFork } from "./runs-fork.ts";
import { addRunFilter, type RunFilterFlags } from "./run-filter.ts";
import { registerRunsApprovals } from "./runs-approvals.ts";
import { runIdOf } from "./run-id.ts";
import { registerRunsSaveTest } from "./runs-save-test.ts";
import { registerRunsShare } from "./runs-share.ts";
import { registerRunsTrigger } from "./runs-trigger.ts";
import { registerRunsWatch } from "./runs-watch.ts";
import { registerRunsCounts } from "./runs-counts.ts";
import { registerRunsValues } from "./runs-values.ts";
import { registerRunsWhy } from "./runs-why.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";
import { oneLine, plain, pretty } from "./texts.ts";

interface ListFlags extends ServiceFlags, RunFilterFlags {
  readonly org?: string;
  readonly size?: number;
  readonly after?: string;
}

interface ResumeFlags extends ServiceFlags {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly node?: string;
  readonly data?: Record<string, unknown>;
}

export function registerRuns(program: Command, dependencies: CliDependencies): void {
  const runs = program.command("runs").description("start, list, watch, cancel, retry, fork and answer runs");
  addRunFilter(
    addServiceCommand(
      runs,
      "list",
      "list runs, newest first",
      "runs list --flow flow_hello --status FAILED,CRASHED",
    ).option("--org <id>", "only this organization"),
  )
    .option("--size <number>", "max results, up to 100", wholeNumber)
    .option("--after <cursor>", "continue after this cursor")
    .action((flags: ListFlags) => list(dependencies, flags));
  addServiceCommand(runs, "get <runId>", "show a run and its nodes", "runs get run_0Abc").action(
    (id: string, flags: ServiceFlags) => get(dependencies, runIdOf(id), flags),
  );
  registerRunsApprovals(runs, dependencies);
  registerRunsTrigger(runs, dependencies);
  registerRunsWatch(runs, dependencies);
  registerRunsFork(runs, dependencies);
  registerRunsDiff(runs, dependencies);
  registerRunsWhy(runs, dependencies);
  registerRunsValues(runs, dependencies);
  registerRunsCounts(runs, dependencies);
  registerRunsShare(runs, dependencies);
  registerRunsSaveTest(runs, dependencies);
  addServiceCommand(
    runs,
    "cancel <runId>",
    "cancel a run that has not ended; work in progress is stopped",
    "runs cancel run_0Abc",
  ).action((id: string, flags: ServiceFlags) => cancel(dependencies, runIdOf(id), flags));
  addServiceCommand(
    runs,
    "resume <runId>",
    "answer the approval that a paused run waits for",
    "runs resume run_0Abc --approve",
  )
    .option("--approve", "approve")
    .option("--reject", "reject")
    .option("--node <key>", "which approval, such as ask or 'ask[2]'")
    .option("--data <json>", "data passed to the flow with the decision: a JSON object, or @file", jsonObject)
    .action((id: string, flags: ResumeFlags) => resume(dependencies, runIdOf(id), flags));
}

async function list(dependencies: CliDependencies, flags: ListFlags): Promise<void> {
  const { org, flow, status, tag, trigger, period, size, after, json } = flags;
  const request = { status: status as RunStatus[], tag, period, pageSize: size, after };
  const page = await withService(dependencies, flags, (client) =>
    flow === undefined || trigger !== undefined
      ? client.runs.list({
          ...request,
          organizationId: org,
          flowId: flow,
          triggerSource: trigger,
        })
      : client.flows.runs(flow, request),
  );
  if (json) return dependencies.stdout(listJson(page.data, page.pagination));
  const rows = page.data.map((run) => ({
    id: run.id,
    status: run.status,
    flow: run.payload.flowId,
    source: run.payload.triggerSource,
    tags: run.tags.map((one) => oneLine(one, 40)),
    created: new Date(run.createdAt),
    completed: run.completedAt === undefined ? undefined : new Date(run.completedAt),
  }));
  dependencies.stdout(table(rows));
  if (page.pagination.next !== undefined) dependencies.stdout(`More with: --after ${page.pagination.next}`);
}

async function get(dependencies: CliDependencies, runId: string, flags: ServiceFlags): Promise<void> {
  const { run, nodes } = await withService(dependencies, flags, async (client) => ({
    run: await client.runs.get(runId),
    nodes: await client.runs.nodes(runId),
  }));
  if (flags.json) return dependencies.stdout(JSON.stringify({ ...run, nodes }));
  showRun(dependencies, run, nodes);
}

function showRun(dependencies: CliDependencies, run: RunDetail, nodes: readonly RunNode[]): void {
  const { stdout } = dependencies;
  const { flowId, organizationId, triggerSource } = run.payload;
  stdout(`${run.id}  ${run.status}`);
  stdout(
    `  flow ${flowId} version ${run.version} of ${organizationId}, started by ${triggerSource} at ${run.createdAt}`,
  );
  if (run.duration !== undefined) stdout(`  took ${run.duration} s`);
  if (run.forkedFrom) stdout(`  goes on from ${run.forkedFrom.nodeKey} of ${run.forkedFrom.runId}`);
  for (const { runId, nodeKey } of run.forks ?? []) stdout(`  forked from ${nodeKey} as ${runId}`);
  if (run.tags.length > 0) stdout(`  tags ${plain(run.tags.join(", "))}`);
  if (run.pause) stdout(pauseText(run));
  const view = new NodeView({ stdout });
  for (const { startedAt, completedAt, ...node } of nodes) {
    const durationMs =
      completedAt === undefined ? undefined : Date.parse(completedAt) - Date.parse(startedAt);
    view.show({ ...node, ...(durationMs !== undefined && { durationMs }) });
  }
  if (run.error) stdout(`  ${oneLine(`${run.error.name}: ${run.error.message}`, 1_000)}`);
  if (run.output) stdout(pretty(run.output));
}

async function cancel(dependencies: CliDependencies, runId: string, flags: ServiceFlags): Promise<void> {
  const canceled = await withService(dependencies, flags, ({ runs }) => runs.cancel(runId, { paused: true }));
  dependencies.stdout(flags.json ? JSON.stringify(canceled) : `${canceled.id} is cancelled.`);
}

async function resume(dependencies: CliDependencies, runId: string, flags: ResumeFlags): Promise<void> {
  const { approve = false, reject = false, node, data } = flags;
  if (approve === reject) throw new UsageError("Use either --approve or --reject.");
  const resumed = await withService(dependencies, flags, ({ runs }) =>
    runs.resume(runId, {
      decision: approve ? "approved" : "rejected",
      ...(node !== undefined && { nodeId: node }),
      ...(data !== undefined && { data }),
    }),
  );
  dependencies.stdout(
    flags.json ? JSON.stringify(resumed) : `${resumed.nodeKey} of ${resumed.id} is ${resumed.decision}.`,
  );
}
