import type { RunCounts } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly flow?: string;
  readonly period?: string;
  readonly minutes?: boolean;
}

export function registerRunsCounts(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "counts",
    "count runs by status, of a day at most",
    "runs counts --flow flow_order --period 12h",
  )
    .option("--org <id>", "the organization; required where the key reaches several")
    .option("--flow <id>", "only runs of this flow")
    .option("--period <period>", "created in today, or 30m, 12h, 1d (default: 1h)")
    .option("--minutes", "also minute by minute")
    .action((flags: Flags) => count(dependencies, flags));
}

async function count(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { stdout } = dependencies;
  const { org, flow, period } = flags;
  const counts = await withService(dependencies, flags, ({ manage }) =>
    manage.runs.counts({ organizationId: org, flowId: flow, period }),
  );
  if (flags.json) return stdout(JSON.stringify(counts));
  for (const line of linesOf(counts, flags.minutes ?? false)) stdout(line);
}

function linesOf({ from, to, complete, totals, minutes }: RunCounts, withMinutes: boolean): string[] {
  const statuses = Object.keys(totals) as (keyof typeof totals)[];
  const rows = Object.entries(totals).map(([status, runs]) => ({ status, runs }));
  return [
    table(rows),
    `\nCreated from ${from} to ${to}${complete ? "" : "; there are more than a million, only the newest were counted"}.`,
    ...(withMinutes && minutes.length > 0
      ? [
          "",
          table(
            minutes.map(({ minute, counts }) => ({
              minute: new Date(minute),
              ...Object.fromEntries(statuses.map((status) => [status, counts[status] ?? 0])),
            })),
          ),
        ]
      : []),
  ];
}
