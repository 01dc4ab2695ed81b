import type { Command } from "commander";
import { DocumentFaults } from "../domain/documents/fault.ts";
import { applyDocuments } from "../operations/apply-documents/apply-documents.ts";
import type { AppliedDocument } from "../operations/apply-documents/put-documents.ts";
import { readPaths } from "../operations/apply-documents/read-documents.ts";
import { cliActor } from "./cli-actor.ts";
import { addCommand, type CliDependencies, ids } from "./cli.ts";
import { table } from "./table.ts";

interface ApplyFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly draft?: boolean;
  readonly note?: string;
  readonly json?: boolean;
}

export function registerApply(program: Command, dependencies: CliDependencies): void {
  addCommand(
    program,
    "apply <paths...>",
    "apply documents to the service: files, or every .yaml, .yml and .json file in a directory",
    "apply examples/demo --dry-run",
  )
    .option("--dry-run", "show what would change without changing anything")
    .option(
      "--prune",
      "delete what is stored for the organizations in the documents but missing from the documents",
    )
    .option("--draft", "keep a flow that would not run as a draft, beside the version in force")
    .option("--note <text>", "why; kept with every new version of a flow")
    .action((paths: string[], flags: ApplyFlags) => apply(dependencies, paths, flags));
}

async function apply(
  { withDatabase, catalogue, env, stdout }: CliDependencies,
  paths: readonly string[],
  { dryRun = false, prune, draft, note, json }: ApplyFlags,
): Promise<void> {
  try {
    const read = await readPaths(paths);
    const { documents, faults } = await withDatabase("apply", ({ pool, secrets }) =>
      applyDocuments({ pool, secrets, ids, catalogue }, read, {
        env,
        dryRun,
        prune,
        draft,
        note,
        actor: cliActor(),
      }),
    );
    if (faults.length > 0) throw new DocumentFaults(faults);
    stdout(json ? JSON.stringify({ dryRun, documents, faults: [] }) : report(documents, dryRun));
  } catch (error) {
    if (json && error instanceof DocumentFaults) {
      stdout(JSON.stringify({ dryRun, documents: [], faults: error.faults }));
    }
    throw error;
  }
}

function report(documents: readonly AppliedDocument[], dryRun: boolean): string {
  const rows = documents.map(({ action, kind, id, organizationId, version }) => ({
    action,
    kind,
    id,
    organization: organizationId,
    version,
  }));
  const remarks = documents.flatMap(({ id, errors = [], warnings = [] }) => [
    ...errors.map((text) => `${id}: error: ${text}`),
    ...warnings.map((text) => `${id}: warning: ${text}`),
  ]);
  const drafts = documents.filter(({ errors = [] }) => errors.length > 0).length;
  return [
    table(rows),
    ...(remarks.length > 0 ? ["", ...remarks] : []),
    ...(drafts > 0 ? ["", `${drafts} of the flows cannot run yet; they are kept as drafts.`] : []),
    ...(dryRun ? ["", "This was a dry run: nothing was changed."] : []),
  ].join("\n");
}
