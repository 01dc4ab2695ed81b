import type { Command } from "commander";
import { listUsers } from "../storage/catalogue/list-users.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

export function registerUsers(program: Command, dependencies: CliDependencies): void {
  const users = program.command("users").description("list users and their organizations");
  addCommand(users, "list", "list users", "users list --org org_demo")
    .option("--org <id>", "only members of this organization")
    .action((flags: { org?: string; json?: boolean }) => list(dependencies, flags));
}

async function list(
  { withDatabase, stdout }: CliDependencies,
  { org, json }: { org?: string; json?: boolean },
): Promise<void> {
  const users = await withDatabase("users list", ({ pool }) => listUsers(pool, org));
  if (json) return stdout(listJson(users));
  const rows = users.map(({ id, email, name, disabled, memberships }) => ({
    id,
    email,
    name,
    disabled,
    organizations: memberships.map(({ organizationId, role }) => `${organizationId} (${role})`),
  }));
  stdout(table(rows));
}
