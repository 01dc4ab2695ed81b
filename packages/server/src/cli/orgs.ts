import type { Manage, Organization, Page } from "@millrace/client";
import type { Command } from "commander";
import { type LimitChanges, manageLimits } from "../operations/catalogue/manage-limits.ts";
import { listOrganizations, type OrganizationSummary } from "../storage/catalogue/list-organizations.ts";
import { type CliDependencies, ids, limitNumber } from "./cli.ts";
import { cliActor } from "./cli-actor.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

export function registerOrgs(program: Command, dependencies: CliDependencies): void {
  const orgs = program.command("orgs").description("list organizations and change their limits");
  addManageCommand(orgs, "list", "list organizations", "orgs list").action((flags: ServiceFlags) =>
    list(dependencies, flags),
  );
  addManageCommand(
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

async function list(dependencies: CliDependencies, flags: ServiceFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const listed = await eitherWay<Page<Organization>, OrganizationSummary[]>(dependencies, flags, {
    service: ({ manage }) => manage.organizations({ pageSize: 100 }),
    database: () => withDatabase("orgs list", ({ pool }) => listOrganizations(pool)),
  });
  if ("pagination" in listed) {
    if (flags.json) return stdout(listJson(listed.data, listed.pagination));
    return stdout(table(listed.data.map(({ id, name, suspended, role }) => ({ id, name, suspended, role }))));
  }
  if (flags.json) return stdout(listJson(listed));
  stdout(table(listed.map(({ id, name, suspended, members }) => ({ id, name, suspended, members }))));
}

interface LimitFlags extends LimitChanges, ServiceFlags {
  readonly org: string;
}

async function limits(dependencies: CliDependencies, flags: LimitFlags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json, concurrency, queue, requestsPerMinute } = flags;
  const changes = { concurrency, queue, requestsPerMinute };
  const stored = await eitherWay(dependencies, flags, {
    service: async ({ manage }) => {
      const isChange = Object.values(changes).some((value) => value !== undefined);
      const { id, limits: now } = isChange
        ? await manage.changeOrganization(org, { limits: changes })
        : await ownOrganization(manage, org);
      return { id, ...now };
    },
    database: () =>
      withDatabase("orgs limits", ({ pool }) => manageLimits({ pool, ids }, cliActor(), org, changes)),
  });
  const shown = {
    organizationId: stored.id,
    concurrency: stored.concurrency,
    queue: stored.queue,
    requestsPerMinute: stored.requestsPerMinute,
  };
  if (json) return stdout(JSON.stringify(shown));
  stdout(table([{ ...shown, requestsPerMinute: shown.requestsPerMinute ?? "service default" }]));
}

async function ownOrganization(manage: Manage, id: string): Promise<Organization> {
  let after: string | undefined;
  do {
    const page = await manage.organizations({ pageSize: 100, after });
    const found = page.data.find((organization) => organization.id === id);
    if (found) return found;
    after = page.pagination.next;
  } while (after !== undefined);
  throw new Error(`This key reaches no organization "${id}"; see: millrace orgs list`);
}
