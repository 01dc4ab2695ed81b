import type { Why } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine, plain } from "./texts.ts";

export function registerRunsWhy(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "why <runId>",
    "say why a run waits, until when, and what can be done about it",
    "runs why queue_0Abc",
  ).action((id: string, flags: ServiceFlags) => explain(dependencies, runIdOf(id), flags));
}

async function explain(dependencies: CliDependencies, runId: string, flags: ServiceFlags): Promise<void> {
  const { stdout } = dependencies;
  const why = await withService(dependencies, flags, ({ runs }) => runs.why(runId));
  if (flags.json) return stdout(JSON.stringify(why));
  for (const line of linesOf(why)) stdout(line);
}

function linesOf({ reason, since, until, needs, heldBy = [], actions }: Why): string[] {
  return [
    plain(reason),
    `  since ${since}${until === undefined ? "" : `, until ${until}`}`,
    ...(needs?.message === undefined ? [] : [`  asked: ${oneLine(needs.message, 500)}`]),
    ...(needs?.link === undefined ? [] : [`  link: ${needs.link}`]),
    ...(heldBy.length === 0 ? [] : [heldByTable(heldBy)]),
    ...actions.map(({ action, command }) => `  to ${action.replaceAll("_", " ")}: ${plain(command)}`),
  ];
}

function heldByTable(heldBy: NonNullable<Why["heldBy"]>): string {
  const rows = heldBy.map(({ runId, flowId, status, since }) => ({
    "held by": runId,
    flow: flowId,
    status,
    since: new Date(since),
  }));
  return table(rows).replace(/^/gm, "  ");
}
