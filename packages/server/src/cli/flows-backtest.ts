import type { BacktestChange, BacktestResult } from "@millrace/client";
import type { Command } from "commander";
import { readWorkspace } from "../operations/catalogue/read-workspace.ts";
import { type CliDependencies, UsageError, wholeNumber } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine } from "./texts.ts";

interface BacktestFlags extends ServiceFlags {
  readonly last?: number;
  readonly draft?: boolean;
  readonly file?: string;
  readonly flow?: string;
  readonly failOnChange?: boolean;
}

export function registerFlowsBacktest(flows: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    flows,
    "backtest <flow>",
    "replay recorded runs with a changed flow (a file, or the draft of a flow) and show what changes; nothing is called",
    `flows backtest flows/order.yaml --last 200
  $ millrace flows backtest flow_order --draft          # the draft in the service
  $ millrace flows backtest flow_order --file order.yaml

Effects are answered from the records, by node and input. A run that calls what was never called ends as UNKNOWN.`,
  )
    .option("--last <n>", "how many of the newest runs, at most 1000 (default: 200)", wholeNumber)
    .option("--draft", "the draft of the flow (default where a flow id is given)")
    .option("--file <file>", "the flow as this file has it")
    .option("--flow <id>", "which flow, if the file contains several")
    .option("--fail-on-change", "exit with 1 where some run changes")
    .action((flow: string, flags: BacktestFlags) => backtest(dependencies, flow, flags));
}

const FILE = /[/\\]|\.(yaml|yml|json)$/i;

async function backtest(dependencies: CliDependencies, meant: string, flags: BacktestFlags): Promise<void> {
  const { last, draft, failOnChange, json } = flags;
  const file = FILE.test(meant) ? meant : flags.file;
  if (draft && file !== undefined) throw new UsageError("Use either --draft or a file, not both.");
  if (file === meant && flags.file !== undefined) throw new UsageError("Name one file.");
  const fromFile = file === undefined ? undefined : await flowOf(file, file === meant ? flags.flow : meant);
  const flowId = fromFile?.id ?? meant;
  const result = await withService(dependencies, flags, ({ deploys }) =>
    deploys.backtest(flowId, { last, graph: fromFile?.graph }),
  );
  const { stdout } = dependencies;
  if (json) stdout(JSON.stringify(result));
  else show(result, stdout);
  if (failOnChange && result.changed > 0) throw new Error(`${result.changed} of ${result.runs} runs change.`);
}

async function flowOf(file: string, flowId: string | undefined) {
  const { flows } = await readWorkspace([file]);
  const [only, ...others] = flowId === undefined ? flows : flows.filter(({ id }) => id === flowId);
  if (only === undefined)
    throw new Error(flowId ? `There is no flow "${flowId}" in ${file}.` : `There is no flow in ${file}.`);
  if (others.length === 0) return only;
  throw new UsageError(`There are several flows in ${file}; choose one with --flow.`);
}

function show(result: BacktestResult, stdout: (text: string) => void): void {
  const { flowId, runs, changed, skipped, raced, complete, nodes, changes } = result;
  stdout(`${flowId}: ${runs} runs, ${changed} change`);
  if (changes.length > 0) {
    const rows = changes.map((change) => ({
      run: change.runId,
      before: change.before,
      after: change.after,
      what: oneLine(whatChanges(change), 120),
    }));
    stdout(`\n${table(rows)}`);
    if (changes.length < changed) stdout(`The newest ${changes.length} of ${changed} are shown.`);
  }
  if (nodes.length > 0)
    stdout(`\n${table(nodes.map(({ nodeId: node, ...counts }) => ({ node, ...counts })))}`);
  if (raced.length > 0)
    stdout(
      `${raced.length} runs come out differently with their own version too, because branches raced; they are compared with that.`,
    );
  for (const { runId, why } of skipped) stdout(`${runId} was left out: ${why}`);
  if (!complete) stdout("Time ran out before all runs were replayed; ask for fewer with --last.");
}

function whatChanges({ output, error, path, calls }: BacktestChange): string {
  return [
    ...calls.map(({ nodeKey, change }) =>
      change === "new" ? `${nodeKey} makes a call that was never made` : `${nodeKey} is called no more`,
    ),
    ...path.map(({ nodeKey, change, before, after }) =>
      change === "handle"
        ? `${nodeKey}: ${before ?? "-"} → ${after ?? "-"}`
        : `${change === "added" ? "+" : "-"}${nodeKey}`,
    ),
    ...output.map(({ path: place, before, after }) => `${place || "output"}: ${before} → ${after}`),
    ...(error ? [`error: ${error.before ?? "none"} → ${error.after ?? "none"}`] : []),
  ].join("; ");
}
