import type { Command } from "commander";
import { listCredentials } from "../storage/catalogue/list-credentials.ts";
import { addCommand, type CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

export function registerCredentials(program: Command, dependencies: CliDependencies): void {
  const credentials = program.command("credentials").description("list credentials; secrets are never shown");
  addCommand(
    credentials,
    "list",
    "list credentials, without their secrets",
    "credentials list --org org_demo",
  )
    .option("--org <id>", "only this organization")
    .action((flags: { org?: string; json?: boolean }) => list(dependencies, flags));
}

async function list(
  { withDatabase, stdout }: CliDependencies,
  { org, json }: { org?: string; json?: boolean },
): Promise<void> {
  const credentials = await withDatabase("credentials list", ({ pool }) => listCredentials(pool, org));
  if (json) return stdout(listJson(credentials));
  const rows = credentials.map(({ id, organizationId, type, allowedHosts, createdAt, updatedAt }) => ({
    id,
    organization: organizationId,
    type,
    hosts: allowedHosts,
    changed: updatedAt ?? createdAt,
  }));
  stdout(table(rows));
}
