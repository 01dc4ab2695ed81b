import type { FlowStatistics } from "@millrace/client";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { durationText } from "./texts.ts";

interface Flags extends ServiceFlags {
  readonly period?: string;
}

export function registerFlowStatistics(flows: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    flows,
    "statistics <flowId>",
    "show how long runs of a flow and their nodes take, and how often they fail",
    "flows statistics flow_order --period 7d",
  )
    .option("--period <period>", "runs created in today, week, or 12h, 7d (default: 1d)")
    .action((flowId: string, flags: Flags) => show(dependencies, flowId, flags));
}

async function show(dependencies: CliDependencies, flowId: string, flags: Flags): Promise<void> {
  const { stdout } = dependencies;
  const found = await withService(dependencies, flags, ({ deploys }) =>
    deploys.statistics(flowId, { period: flags.period }),
  );
  if (flags.json) return stdout(JSON.stringify(found));
  const { runs, nodes, from, to } = found;
  const rows = [
    { what: "all runs", count: runs.ended, ...figuresOf(runs) },
    ...nodes.map((node) => ({
      what: `${node.nodeId} (${node.type})`,
      count: node.executions,
      ...figuresOf(node),
    })),
  ];
  stdout(table(rows));
  stdout(`\nOf runs created from ${from} to ${to} that have ended.`);
}

type Figures = Pick<FlowStatistics["runs"], "failed" | "p50Seconds" | "p95Seconds">;

function figuresOf({ failed, p50Seconds, p95Seconds }: Figures) {
  return { failed, p50: timeOf(p50Seconds), p95: timeOf(p95Seconds) };
}

function timeOf(seconds: number | null): string | undefined {
  return seconds === null ? undefined : durationText(seconds * 1_000);
}
