import type { Command } from "commander";
import { manageLimits } from "../operations/catalogue/manage-limits.ts";
import { listOrganizations } from "../storage/catalogue/list-organizations.ts";
import type { LimitChanges } from "../storage/catalogue/set-organization-limits.ts";
import { addCommand, type CliDependencies, limitNumber } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

export function registerOrgs(program: Command, dependencies: CliDependencies): void {
  const orgs = program.command("orgs").description("list organizations and change their limits");
  addCommand(orgs, "list", "list organizations", "orgs list").action((flags: { json?: boolean }) =>
    list(dependencies, flags),
  );
  addCommand(
    orgs,
    "limits",
    "show or change the limits of an organization",
    "orgs limits --org org_demo --concurrency 20",
  )
    .requiredOption("--org <id>", "the organization")
    .option("--concurrency <n>", "max runs at the same time", limitNumber)
    .option("--queue <n>", "max runs in the queue", limitNumber)
    .option("--requests-per-minute <n>", "max API requests per user and minute; 0 = no limit", limitNumber)
    .action((flags: LimitFlags) => limits(dependencies, flags));
}

async function list({ withDatabase, stdout }: CliDependencies, { json }: { json?: boolean }): Promise<void> {
  const organizations = await withDatabase("orgs list", ({ pool }) => listOrganizations(pool));
  if (json) return stdout(listJson(organizations));
  stdout(table(organizations.map(({ id, name, suspended, members }) => ({ id, name, suspended, members }))));
}

interface LimitFlags extends LimitChanges {
  readonly org: string;
  readonly json?: boolean;
}

async function limits(
  { withDatabase, stdout }: CliDependencies,
  { org, json, concurrency, queue, requestsPerMinute }: LimitFlags,
): Promise<void> {
  const changes = { concurrency, queue, requestsPerMinute };
  const stored = await withDatabase("orgs limits", ({ pool }) => manageLimits(pool, org, changes));
  const shown = {
    organizationId: stored.id,
    concurrency: stored.concurrency,
    queue: stored.queue,
    requestsPerMinute: stored.requestsPerMinute,
  };
  if (json) return stdout(JSON.stringify(shown));
  stdout(table([{ ...shown, requestsPerMinute: shown.requestsPerMinute ?? "service default" }]));
}
