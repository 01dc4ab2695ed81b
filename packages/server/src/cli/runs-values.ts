import type { NodeValues, RunTrigger } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { pretty } from "./texts.ts";

export function registerRunsValues(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "values <runId> [nodeKey]",
    "show what a run was started with, or inputs, output, error and log of one of its nodes",
    "runs values run_0Abc 'fetch[3]'",
  ).action((id: string, nodeKey: string | undefined, flags: ServiceFlags) =>
    show(dependencies, runIdOf(id), nodeKey, flags),
  );
}

async function show(
  dependencies: CliDependencies,
  runId: string,
  nodeKey: string | undefined,
  flags: ServiceFlags,
): Promise<void> {
  const values = await withService<RunTrigger | NodeValues>(dependencies, flags, ({ manage }) =>
    nodeKey === undefined ? manage.runs.trigger(runId) : manage.runs.nodeValues(runId, nodeKey),
  );
  dependencies.stdout(flags.json ? JSON.stringify(values) : pretty(values));
}
