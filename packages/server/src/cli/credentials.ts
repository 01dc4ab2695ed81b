import type { ManagedCredential, Page } from "@millrace/client";
import type { Command } from "commander";
import { type CredentialSummary, listCredentials } from "../storage/catalogue/list-credentials.ts";
import type { CliDependencies } from "./cli.ts";
import { registerCredentialsSet } from "./credentials-set.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";

export function registerCredentials(program: Command, dependencies: CliDependencies): void {
  const credentials = program
    .command("credentials")
    .description("list, set and delete credentials; secrets are never shown");
  addManageCommand(
    credentials,
    "list",
    "list credentials, without their secrets",
    "credentials list --org org_demo",
  )
    .option("--org <id>", "only this organization")
    .action((flags: Flags) => list(dependencies, flags));
  registerCredentialsSet(credentials, dependencies);
}

interface Flags extends ServiceFlags {
  readonly org?: string;
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { withDatabase, stdout } = dependencies;
  const { org, json } = flags;
  const credentials = await eitherWay<Page<ManagedCredential>, CredentialSummary[]>(dependencies, flags, {
    service: ({ manage }) => manage.credentials({ organizationId: org, pageSize: 100 }),
    database: () => withDatabase("credentials list", ({ pool }) => listCredentials(pool, org)),
  });
  if (json)
    return stdout(
      "pagination" in credentials
        ? listJson(credentials.data, credentials.pagination)
        : listJson(credentials),
    );
  const listed: readonly (ManagedCredential | CredentialSummary)[] =
    "pagination" in credentials ? credentials.data : credentials;
  const rows = listed.map((credential) => ({
    id: credential.id,
    organization: "organizationId" in credential ? credential.organizationId : org,
    type: credential.type,
    hosts: credential.allowedHosts,
    changed: new Date(credential.updatedAt ?? credential.createdAt),
  }));
  stdout(table(rows));
}
