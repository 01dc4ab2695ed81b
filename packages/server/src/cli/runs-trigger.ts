import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { wholeNumber } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { watchRun } from "./runs-watch.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { addTriggerOptions, type TriggerFlags, triggerOf } from "./trigger-options.ts";

interface StartFlags extends ServiceFlags, TriggerFlags {
  readonly flow: string;
  readonly org?: string;
  readonly delay?: string;
  readonly tag?: string[];
  readonly maxAttempts?: number;
  readonly maxDuration?: number;
  readonly idempotencyKey?: string;
  readonly test?: boolean;
  readonly wait?: boolean;
}

export function registerRunsTrigger(runs: Command, dependencies: CliDependencies): void {
  const command = addServiceCommand(
    runs,
    "trigger",
    "start a run of a flow",
    `runs trigger --flow flow_hello --body '{"name":"Ada"}' --wait`,
  )
    .requiredOption("--flow <id>", "the flow")
    .option("--org <id>", "organization of the flow; required with a user key");
  addTriggerOptions(command)
    .option("--delay <time>", "delay before the start: 30s, 5m, 1h, 2d")
    .option("--tag <name>", "a tag; can be repeated", collect)
    .option("--max-attempts <number>", "max attempts in total", wholeNumber)
    .option("--max-duration <seconds>", "max active time", wholeNumber)
    .option("--idempotency-key <key>", "a second trigger with the same key returns the first run")
    .option("--test", "mark it as a test run")
    .option("--wait", "watch the run until it ends")
    .action((flags: StartFlags) => trigger(dependencies, flags));
}

async function trigger(dependencies: CliDependencies, flags: StartFlags): Promise<void> {
  const { stdout } = dependencies;
  const envelope = triggerOf(flags);
  const started = await withService(dependencies, flags, ({ runs }) =>
    runs.trigger({
      payload: {
        flowId: flags.flow,
        organizationId: flags.org,
        data: flags.data,
        inputs: flags.inputs,
        ...(Object.keys(envelope).length > 0 && { trigger: envelope }),
        triggerSource: "manual",
      },
      delay: flags.delay,
      tags: flags.tag,
      maxAttempts: flags.maxAttempts,
      maxDuration: flags.maxDuration,
      idempotencyKey: flags.idempotencyKey,
      isTest: flags.test,
    }),
  );
  if (flags.json) stdout(JSON.stringify(started));
  else if (started.status === "queued") stdout(`${started.queueId} waits in the queue: no slot is free.`);
  else stdout(`${started.id} ${started.status}`);
  if (!flags.wait) return;
  const runId = started.status === "queued" ? runIdOf(started.queueId) : started.id;
  await watchRun(dependencies, runId, flags);
}

export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
