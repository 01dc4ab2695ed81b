import type { Member } from "@millrace/client";
import type { Command } from "commander";
import { listUsers, type UserSummary } from "../storage/catalogue/list-users.ts";
import { allPages } from "./all-pages.ts";
import type { CliDependencies } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
}

export function registerUsers(program: Command, dependencies: CliDependencies): void {
  const users = program.command("users").description("list users and their organizations");
  addManageCommand(
    users,
    "list",
    "list users; over HTTP the members of one organization, as members list does",
    "users list --org org_demo",
  )
    .option("--org <id>", "only members of this organization")
    .action((flags: Flags) => list(dependencies, flags));
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const users = await eitherWay<Member[], UserSummary[]>(dependencies, flags, {
    service: ({ manage }) => allPages((page) => manage.members({ organizationId: org, ...page })),
    database: () => withDatabase("users list", ({ pool }) => listUsers(pool, org)),
  });
  if (json) return stdout(listJson(users));
  const rows = users.map((user) => ({
    id: "userId" in user ? user.userId : user.id,
    email: user.email,
    name: user.name,
    disabled: user.disabled,
    ...("userId" in user
      ? { role: user.role }
      : { organizations: user.memberships.map(({ organizationId, role }) => `${organizationId} (${role})`) }),
  }));
  stdout(table(rows));
}
