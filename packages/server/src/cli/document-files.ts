import type { DocumentsRequest } from "@millrace/client";
import { isOwnVariable } from "../domain/own-variables.ts";
import { DocumentFaults } from "../domain/documents/fault.ts";
import { parseSource, type SourceFile } from "../domain/documents/parse-source.ts";
import { readSources } from "../operations/apply-documents/read-documents.ts";
import type { CliDependencies } from "./cli.ts";

/** Documents as a service takes them, with the variables that their secrets ask for and no others. */
export async function documentFiles(
  { env }: Pick<CliDependencies, "env">,
  paths: readonly string[],
): Promise<Pick<DocumentsRequest, "files" | "env">> {
  const { sources, faults } = await readSources(paths);
  if (faults.length > 0) throw new DocumentFaults(faults);
  return {
    files: sources.map(({ file, text }) => ({ path: file, text })),
    env: Object.fromEntries(
      [...new Set(sources.flatMap(variablesOf))].flatMap((name) =>
        env[name] === undefined || isOwnVariable(name) ? [] : [[name, env[name]]],
      ),
    ),
  };
}

function variablesOf(source: SourceFile): string[] {
  return parseSource(source).documents.flatMap(({ document }) =>
    document.kind === "Credential"
      ? Object.values(document.secret).flatMap((value) => (typeof value === "object" ? [value.env] : []))
      : [],
  );
}
