import { setTimeout as sleep } from "node:timers/promises";
import type { Job, JobRequest } from "@millrace/client";
import type { Command } from "commander";
import { type CliDependencies, UsageError } from "./cli.ts";
import { jsonObject } from "./json-option.ts";
import { addRunFilter, type RunFilterFlags } from "./run-filter.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine, plain } from "./texts.ts";

interface StartFlags extends ServiceFlags, RunFilterFlags {
  readonly org?: string;
  readonly flowVersion?: string;
  readonly fork?: Record<string, unknown>;
  readonly wait?: boolean;
}

type Flags = ServiceFlags & { readonly org?: string };

const LOOK_MS = 1_000;

export function registerJobs(program: Command, dependencies: CliDependencies): void {
  const jobs = program.command("jobs").description("cancel, retry or fork many runs at once");
  addRunFilter(
    addServiceCommand(
      jobs,
      "start <action>",
      "cancel, retry or fork all runs that match now",
      "jobs start retry --flow flow_order --status FAILED --period 1d --wait",
    ).option("--org <id>", "the organization; required where the key reaches several"),
  )
    .option("--flow-version <version>", "of the retries and forks: same (default), active, or a version")
    .option(
      "--fork <json>",
      "what each fork is asked for with, such as from and data: JSON, or @file",
      jsonObject,
    )
    .option("--wait", "show the progress until it ends")
    .action((action: string, flags: StartFlags) => start(dependencies, action, flags));
  addServiceCommand(jobs, "list", "list jobs, newest first", "jobs list")
    .option("--org <id>", "the organization; required where the key reaches several")
    .action((flags: Flags) => list(dependencies, flags));
  addServiceCommand(jobs, "get <jobId>", "show a job and what failed of it", "jobs get job_0Abc").action(
    (jobId: string, flags: Flags) => get(dependencies, jobId, flags),
  );
  addServiceCommand(jobs, "watch <jobId>", "show the progress until it ends", "jobs watch job_0Abc").action(
    (jobId: string, flags: Flags) => watch(dependencies, jobId, flags),
  );
  for (const [verb, summary] of [
    ["stop", "stop a job; what it has done stays done"],
    ["resume", "let a stopped job go on"],
  ] as const)
    addServiceCommand(jobs, `${verb} <jobId>`, summary, `jobs ${verb} job_0Abc`).action(
      async (jobId: string, flags: Flags) => {
        const job = await withService(dependencies, flags, (client) => client.jobs[verb](jobId));
        show(dependencies, job, flags);
      },
    );
}

async function start(dependencies: CliDependencies, action: string, flags: StartFlags): Promise<void> {
  if (action !== "cancel" && action !== "retry" && action !== "fork")
    throw new UsageError(`"${action}" is none of cancel, retry and fork.`);
  const { flowVersion } = flags;
  const fork = { ...flags.fork, ...(flowVersion !== undefined && { version: flowVersion }) };
  const request: JobRequest = {
    organizationId: flags.org,
    action,
    filter: {
      flowId: flags.flow,
      status: flags.status as NonNullable<JobRequest["filter"]>["status"],
      tag: flags.tag,
      triggerSource: flags.trigger,
      ...(flags.period !== undefined && { createdAt: { period: flags.period } }),
    },
    ...(Object.keys(fork).length > 0 && { fork }),
  };
  const job = await withService(dependencies, flags, ({ jobs }) => jobs.start(request));
  if (flags.wait) await watch(dependencies, job.id, flags);
  else show(dependencies, job, flags);
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const page = await withService(dependencies, flags, ({ jobs }) => jobs.list({ organizationId: flags.org }));
  if (flags.json) return dependencies.stdout(JSON.stringify(page));
  const rows = page.data.map(({ id, action, status, total, done, skipped, failed, createdAt }) => ({
    id,
    action,
    status,
    runs: total,
    done,
    skipped,
    failed,
    created: new Date(createdAt),
  }));
  dependencies.stdout(table(rows));
}

async function get(dependencies: CliDependencies, jobId: string, flags: Flags): Promise<void> {
  const { job, failed } = await withService(dependencies, flags, async ({ jobs }) => ({
    job: await jobs.get(jobId),
    failed: (await jobs.runs(jobId, { state: "failed" })).data,
  }));
  if (flags.json) return dependencies.stdout(JSON.stringify({ ...job, failures: failed }));
  show(dependencies, job, flags);
  for (const { runId, message = "" } of failed) dependencies.stdout(`  ${runId}  ${oneLine(message, 200)}`);
}

async function watch(dependencies: CliDependencies, jobId: string, flags: Flags): Promise<void> {
  const { stdout, interruption } = dependencies;
  const signal = interruption();
  for (let told = ""; ;) {
    const job = await withService(dependencies, flags, ({ jobs }) => jobs.get(jobId));
    if (job.status !== "running") return show(dependencies, job, flags);
    const text = textOf(job);
    if (text !== told && !flags.json) stdout(text);
    told = text;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

function show({ stdout }: CliDependencies, job: Job, flags: Flags): void {
  stdout(flags.json ? JSON.stringify(job) : textOf(job));
}

function textOf({ id, action, status, total, pending, done, skipped, failed, reason }: Job): string {
  const parts = [`${done} done`, `${skipped} skipped`, `${failed} failed`, `${pending} left`];
  const why = reason === undefined ? "" : `: ${plain(reason)}`;
  return `${id}  ${action}  ${status}${why}  ${total} runs: ${parts.join(", ")}`;
}
