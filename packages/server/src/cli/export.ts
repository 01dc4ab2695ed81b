import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { exportOrganization } from "../operations/documents/export-documents.ts";
import { type CliDependencies, UsageError } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { onDatabase } from "./on-database.ts";
import type { ServiceFlags } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
  readonly output?: string;
}

export function registerExport(program: Command, dependencies: CliDependencies): void {
  addManageCommand(
    program,
    "export",
    "print all documents of an organization as YAML that apply takes back unchanged, without secrets",
    "export --org org_demo --output workspace.yaml",
  )
    .option("--org <id>", "the organization; required where the key reaches several, and on the database")
    .option("--output <file>", "write them into this file")
    .action((flags: Flags) => exportDocuments(dependencies, flags));
}

async function exportDocuments(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { stdout } = dependencies;
  const { org, output, json } = flags;
  const text = await eitherWay(dependencies, flags, {
    service: ({ deploys }) => deploys.export({ organizationId: org }),
    database: () => {
      if (org === undefined) throw new UsageError("Say which organization: --org <id>");
      return onDatabase(dependencies, "export", (context) => exportOrganization(context, org));
    },
  });
  if (output !== undefined) await writeFile(output, text);
  if (json) return stdout(JSON.stringify(output === undefined ? { text } : { output, bytes: text.length }));
  stdout(output === undefined ? text.trimEnd() : `Everything of the organization is in ${output}.`);
}
