import type { Command } from "commander";
import { UsageError, type CliDependencies } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly run?: string;
  readonly node?: string;
  readonly only?: boolean;
  readonly body?: string;
}

export function registerFlowsRunDraft(flows: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    flows,
    "run-draft <flowId>",
    "execute the draft of a flow on the service as a test run, effects included",
    `flows run-draft flow_order --body '{"amount":12}'
  $ millrace flows run-draft flow_order --run run_0Abc --node charge         # from this node on
  $ millrace flows run-draft flow_order --run run_0Abc --node charge --only  # this node alone`,
  )
    .option("--run <runId>", "go on from what this run has done")
    .option("--node <nodeId>", "begin with this node")
    .option("--only", "execute nothing behind the node")
    .option("--body <json>", "trigger.body, as JSON")
    .action((flowId: string, flags: Flags) => runDraft(dependencies, flowId, flags));
}

async function runDraft(dependencies: CliDependencies, flowId: string, flags: Flags): Promise<void> {
  const { run, node: nodeId, only, body } = flags;
  const started = await withService(dependencies, flags, ({ deploys }) =>
    deploys.runDraft(flowId, {
      runId: run === undefined ? undefined : runIdOf(run),
      nodeId,
      only,
      trigger: body === undefined ? undefined : { body: parsed(body) },
    }),
  );
  const { stdout } = dependencies;
  if (flags.json) return stdout(JSON.stringify(started));
  const runId = "id" in started ? started.id : started.queueId.replace(/^queue_/, "run_");
  stdout(`${runId} was started; follow it with: millrace runs watch ${runId}`);
  for (const warning of started.warnings) stdout(`  warning: ${warning}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("--body must be JSON.");
  }
}
