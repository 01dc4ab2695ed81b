import type { FlowDeletion } from "@millrace/client";
import { type Command, Option } from "commander";
import { previewDeletion, removeFlow } from "../operations/manage-flows/delete-flow.ts";
import type { CliDependencies } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { onDatabase } from "./on-database.ts";
import type { ServiceFlags } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly runs: "cancel" | "keep";
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function registerFlowsDelete(flows: Command, dependencies: CliDependencies): void {
  addManageCommand(
    flows,
    "delete <flowId>",
    "delete the flow, its webhook and its schedules; says what becomes of its runs",
    "flows delete flow_hello --dry-run",
  )
    .addOption(
      new Option("--runs <what>", "what becomes of its waiting and paused runs")
        .choices(["cancel", "keep"])
        .default("cancel"),
    )
    .option("--dry-run", "only say what it would mean")
    .option("--yes", "do not ask")
    .action((flowId: string, flags: Flags) => remove(dependencies, flowId, flags));
}

async function remove(dependencies: CliDependencies, flowId: string, flags: Flags): Promise<void> {
  const { stdout, ask, interruption } = dependencies;
  const { runs, dryRun = false, yes = false, json } = flags;
  const asks = ask !== undefined && !yes && !json && !dryRun;
  if (dryRun || asks) {
    const preview = await eitherWay<FlowDeletion, FlowDeletion>(dependencies, flags, {
      service: ({ deploys }) => deploys.deletion(flowId, { runs }),
      database: () =>
        onDatabase(dependencies, "flows delete", (context) =>
          previewDeletion(context, undefined, flowId, { runs }),
        ),
    });
    if (json) return stdout(JSON.stringify({ id: flowId, deleted: false, ...meaningOf(preview) }));
    for (const line of linesOf(preview)) stdout(line);
    if (!asks) return;
    const answer = await ask(`Delete ${flowId}? (y/N) `, interruption());
    if (!/^y(es)?$/i.test(answer.trim())) return stdout("Nothing was deleted.");
  }
  const deleted = await eitherWay<FlowDeletion, FlowDeletion>(dependencies, flags, {
    service: ({ deploys }) => deploys.delete(flowId, { runs }),
    database: () =>
      onDatabase(dependencies, "flows delete", (context) =>
        removeFlow({ ...context, onCanceled: () => {} }, context.caller, flowId, { runs }),
      ),
  });
  if (json) return stdout(JSON.stringify({ id: flowId, deleted: true, ...meaningOf(deleted) }));
  if (!asks) for (const line of linesOf(deleted)) stdout(line);
  stdout(`${flowId} is deleted.`);
}

function meaningOf({ runs, schedules, webhook }: FlowDeletion): Omit<FlowDeletion, "flowId"> {
  return { runs, schedules, webhook };
}

function linesOf({ runs, schedules, webhook }: FlowDeletion): string[] {
  const touched = Object.entries(runs).filter(([, { count }]) => count > 0);
  return [
    ...touched.map(([state, { count, becomes }]) => {
      const many = becomes === "canceled" ? "canceled" : "brought to their end";
      return `${count} ${state} run${count === 1 ? " is" : "s are"} ${many}.`;
    }),
    ...(schedules > 0 ? [`${schedules} schedule${schedules === 1 ? " ends" : "s end"} with it.`] : []),
    ...(webhook ? ["Its webhook is refused from then on."] : []),
  ];
}
