import { table } from "./table.ts";

interface Change {
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly organizationId: string;
  readonly version?: string | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** What became of each document, or would. */
export function documentsTable(
  documents: readonly Change[],
  { dryRun, revision }: { readonly dryRun: boolean; readonly revision: string },
): string {
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
    ...(dryRun
      ? ["", `To apply exactly this: --revision ${revision}`, "This was a dry run: nothing was changed."]
      : []),
  ].join("\n");
}
