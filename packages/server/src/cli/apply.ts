import { type DocumentsResult, isMillraceError } from "@millrace/client";
import type { Command } from "commander";
import { DocumentFaults } from "../domain/documents/fault.ts";
import {
  applyDocuments,
  type ApplyResult,
  DocumentsChanged,
} from "../operations/apply-documents/apply-documents.ts";
import type { AppliedDocument } from "../operations/apply-documents/put-documents.ts";
import { readPaths } from "../operations/apply-documents/read-documents.ts";
import { cliActor } from "./cli-actor.ts";
import { type CliDependencies, ids } from "./cli.ts";
import { documentFiles } from "./document-files.ts";
import { documentsTable } from "./documents-table.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import type { ServiceFlags } from "./service-client.ts";

interface Flags extends ServiceFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly draft?: boolean;
  readonly note?: string;
  readonly revision?: string;
}

export function registerApply(program: Command, dependencies: CliDependencies): void {
  const command = (usage: string, summary: string, example: string) =>
    addManageCommand(program, usage, summary, example)
      .option(
        "--prune",
        "delete what is stored for the organizations in the documents but missing from the documents",
      )
      .option("--draft", "keep a flow that would not run as a draft, beside the version in force");
  command(
    "apply <paths...>",
    "apply documents, all or none: files, or every .yaml, .yml and .json file in a directory",
    "apply examples/demo --url http://127.0.0.1:4000 --note 'new greeting'",
  )
    .option("--dry-run", "the same as: millrace plan")
    .option("--note <text>", "why; kept with every new version of a flow")
    .option("--revision <text>", "from a plan: refused where somebody has changed any of it since")
    .action((paths: string[], flags: Flags) => apply(dependencies, paths, flags));
  command(
    "plan <paths...>",
    "show what applying documents would change, and every fault with its file and line",
    "plan examples/demo",
  ).action((paths: string[], flags: Flags) => apply(dependencies, paths, { ...flags, dryRun: true }));
}

async function apply(dependencies: CliDependencies, paths: readonly string[], flags: Flags): Promise<void> {
  const { stdout } = dependencies;
  const { dryRun = false, json } = flags;
  try {
    const { documents, faults, revision } = await eitherWay<DocumentsResult, ApplyResult>(
      dependencies,
      flags,
      {
        service: (client) => overHttp(dependencies, paths, flags, client.deploys),
        database: () => onDatabase(dependencies, paths, flags),
      },
    );
    if (json) stdout(JSON.stringify({ dryRun, documents, faults, revision }));
    else if (faults.length === 0 || documents.length > 0)
      stdout(documentsTable(documents, { dryRun, revision }));
    if (faults.length > 0) throw new Faults(faults);
  } catch (error) {
    if (json && error instanceof DocumentFaults && !(error instanceof Faults))
      stdout(JSON.stringify({ dryRun, documents: [], faults: error.faults }));
    if (error instanceof DocumentsChanged) {
      const { documents, revision } = error.result;
      // What it would be now.
      stdout(
        json
          ? JSON.stringify({ dryRun: true, ...error.result })
          : documentsTable(documents, { dryRun: true, revision }),
      );
    }
    throw error;
  }
}

/** Faults that were printed as JSON already, where that was asked for. */
class Faults extends DocumentFaults {}

interface Deploys {
  plan(request: object): Promise<DocumentsResult>;
  apply(request: object): Promise<DocumentsResult>;
}

async function overHttp(
  { env, stderr, screen }: CliDependencies,
  paths: readonly string[],
  { dryRun = false, prune, draft, note, revision }: Flags,
  deploys: Deploys,
): Promise<DocumentsResult> {
  const sent = await documentFiles({ env }, paths);
  if (screen) stderr(`${dryRun ? "Planning" : "Applying"} ${sent.files.length} files …`);
  try {
    return await deploys[dryRun ? "plan" : "apply"]({ ...sent, prune, draft, note, revision });
  } catch (error) {
    if (!isMillraceError(error) || !error.data) throw error;
    const { documents = [], faults = [], revision: now = "" } = error.data as Partial<DocumentsResult>;
    if (error.code === "documents_changed")
      throw new DocumentsChanged({ documents: documents as AppliedDocument[], faults, revision: now });
    if (faults.length > 0) throw new DocumentFaults(faults);
    throw error;
  }
}

async function onDatabase(
  { withDatabase, catalogue, env }: CliDependencies,
  paths: readonly string[],
  { dryRun = false, prune, draft, note, revision }: Flags,
): Promise<ApplyResult> {
  const read = await readPaths(paths);
  return withDatabase(dryRun ? "plan" : "apply", ({ pool, secrets }) =>
    applyDocuments({ pool, secrets, ids, catalogue }, read, {
      env,
      dryRun,
      prune,
      draft,
      note,
      revision,
      actor: cliActor(),
    }),
  );
}
