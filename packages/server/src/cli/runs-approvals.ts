import type { Command } from "commander";
import { type CliDependencies, wholeNumber } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine } from "./texts.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly size?: number;
  readonly after?: string;
}

export function registerRunsApprovals(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "approvals",
    "list what runs ask people right now, the newest question first",
    "runs approvals --org org_demo",
  )
    .option("--org <id>", "the organization; required where the key reaches several")
    .option("--size <number>", "max results, up to 100", wholeNumber)
    .option("--after <cursor>", "continue after this cursor")
    .action((flags: Flags) => list(dependencies, flags));
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { org, size, after, json } = flags;
  const request = { organizationId: org, pageSize: size, after };
  const page = await withService(dependencies, flags, ({ manage }) => manage.approvals(request));
  if (json) return dependencies.stdout(listJson(page.data, page.pagination));
  const rows = page.data.map((one) => ({
    run: one.runId,
    node: one.nodeKey,
    flow: one.flowId,
    question: oneLine(one.message ?? "", 60),
    asked: new Date(one.askedAt),
    until: one.until === undefined ? undefined : new Date(one.until),
  }));
  dependencies.stdout(table(rows));
  if (page.pagination.next !== undefined) dependencies.stdout(`More with: --after ${page.pagination.next}`);
}
