import type { Command } from "commander";
import { withPrefix } from "../domain/ids.ts";
import type { CliDependencies } from "./cli.ts";
import { jsonObject } from "./json-option.ts";
import { collect } from "./runs-trigger.ts";
import { watchRun } from "./runs-watch.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { plain } from "./texts.ts";
import { addTriggerOptions, type TriggerFlags, triggerOf } from "./trigger-options.ts";

interface RetryFlags extends ServiceFlags {
  readonly flowVersion?: string;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
}

interface ForkFlags extends RetryFlags, TriggerFlags {
  readonly from?: string;
  readonly outputs?: Record<string, unknown>;
  readonly tag?: string[];
}

export function registerRunsFork(runs: Command, dependencies: CliDependencies): void {
  addRetryOptions(
    addServiceCommand(
      runs,
      "retry <runId>",
      "start a run that goes on where an ended one failed or was stopped; nothing that ended well happens again",
      "runs retry run_0Abc --wait",
    ),
  ).action((runId: string, flags: RetryFlags) => fork(dependencies, runId, { ...flags, from: "failed" }));
  const command = addServiceCommand(
    runs,
    "fork <runId>",
    "start a run that executes an ended one again from a node on; all before it is copied",
    "runs fork run_0Abc --from 'fetch[3]' --flow-version active",
  ).option("--from <nodeKey>", "a node key, failed or start (default: failed, or start if it completed)");
  addRetryOptions(addTriggerOptions(command))
    .option(
      "--outputs <json>",
      "outputs by node key, used instead of executing the node: JSON, or @file",
      jsonObject,
    )
    .option("--tag <name>", "a tag instead of those of the run; can be repeated", collect)
    .action((runId: string, flags: ForkFlags) => fork(dependencies, runId, flags));
}

function addRetryOptions(command: Command): Command {
  return command
    .option("--flow-version <version>", "same (default), active, or a version of the flow")
    .option("--idempotency-key <key>", "a second fork of the run with the same key returns the first one")
    .option("--wait", "watch the new run until it ends");
}

async function fork(dependencies: CliDependencies, runId: string, flags: ForkFlags): Promise<void> {
  const { stdout, stderr } = dependencies;
  const envelope = triggerOf(flags);
  const started = await withService(dependencies, flags, ({ runs }) =>
    runs.fork(withPrefix(runId, "run"), {
      from: flags.from,
      version: flags.flowVersion,
      data: flags.data,
      inputs: flags.inputs,
      ...(Object.keys(envelope).length > 0 && { trigger: envelope }),
      outputs: flags.outputs,
      tags: flags.tag,
      idempotencyKey: flags.idempotencyKey,
    }),
  );
  for (const warning of started.warnings) stderr(`warning: ${plain(warning)}`);
  const { nodeKey } = started.forkedFrom;
  if (flags.json) stdout(JSON.stringify(started));
  else if (started.status === "queued")
    stdout(`${started.queueId} goes on from ${nodeKey} and waits in the queue: no slot is free.`);
  else stdout(`${started.id} ${started.status}, goes on from ${nodeKey}`);
  if (flags.wait) await watchRun(dependencies, startedId(started), flags);
}

function startedId(started: { id: string } | { queueId: string }): string {
  return "id" in started ? started.id : withPrefix(started.queueId, "run");
}
