import type { ComparedNode, RunComparison } from "@millrace/client";
import type { Command } from "commander";
import { withPrefix } from "../domain/ids.ts";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { oneLine, plain } from "./texts.ts";

interface DiffFlags extends ServiceFlags {
  readonly all?: boolean;
}

const MAX_OPERATIONS = 10;

export function registerRunsDiff(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "diff <a> <b>",
    "compare two runs node by node: path, status, duration, values",
    "runs diff run_0Abc run_0Abd",
  )
    .option("--all", "show nodes that do not differ too")
    .action((a: string, b: string, flags: DiffFlags) => diff(dependencies, [a, b], flags));
}

async function diff(
  dependencies: CliDependencies,
  [a, b]: readonly [string, string],
  flags: DiffFlags,
): Promise<void> {
  const comparison = await withService(dependencies, flags, ({ runs }) =>
    runs.compare(withPrefix(a, "run"), withPrefix(b, "run")),
  );
  const { stdout } = dependencies;
  if (flags.json) stdout(JSON.stringify(comparison));
  else show(comparison, flags.all ?? false, stdout);
}

function show(
  { a, b, nodes, total, firstDivergence }: RunComparison,
  all: boolean,
  stdout: (text: string) => void,
): void {
  for (const [name, run] of [["a", a] as const, ["b", b] as const])
    stdout(`${name}  ${run.id}  ${run.status}  ${run.flowId} version ${run.version}`);
  for (const node of nodes) if (all || node.differs.length > 0) showNode(node, stdout);
  if (nodes.length < total) stdout(`The first ${nodes.length} of ${total} nodes are shown.`);
  stdout(
    firstDivergence === null
      ? `The runs do not differ in ${total} nodes.`
      : `They differ first in ${plain(firstDivergence)}.`,
  );
}

function showNode(node: ComparedNode, stdout: (text: string) => void): void {
  const { nodeKey, differs } = node;
  stdout(
    `${differs.length === 0 ? "=" : "≠"} ${plain(nodeKey)}  a: ${sideText(node.a)}  b: ${sideText(node.b)}`,
  );
  for (const name of ["input", "output"] as const) {
    const { equal = true, patch = [], leftOut = false } = node[name] ?? {};
    if (equal) continue;
    if (leftOut) stdout(`    ${name} differs too much to be shown`);
    for (const operation of patch.slice(0, MAX_OPERATIONS)) {
      const value = "value" in operation ? ` ${oneLine(JSON.stringify(operation.value), 200)}` : "";
      stdout(`    ${name}${plain(operation.path)} ${operation.op}${value}`);
    }
    if (patch.length > MAX_OPERATIONS)
      stdout(`    and ${patch.length - MAX_OPERATIONS} more in ${name}; see them with --json`);
  }
}

function sideText(side: ComparedNode["a"]): string {
  if (!side) return "not reached";
  const { status, handle, duration } = side;
  return `${status}${handle === undefined ? "" : ` → ${plain(handle)}`} ${duration} s`;
}
