import type { FlowValidation } from "../../domain/flow/validate.ts";
import type { Pool } from "../../storage/pool.ts";
import { type FlowValidator, readReferences } from "../apply-documents/flow-references.ts";
import { readDocuments } from "../apply-documents/read-documents.ts";

export interface ValidatedFlow extends FlowValidation {
  readonly id: string;
  readonly organizationId: string;
}

/** Whether the flows of these files would run, beside what the files bring and, with a pool, what is stored. */
export async function validateFlowDocuments(
  { pool, validate }: { pool?: Pool; validate: FlowValidator },
  paths: readonly string[],
): Promise<ValidatedFlow[]> {
  const documents = await readDocuments(paths);
  const references = await readReferences(pool, documents);
  return documents.flatMap(({ document }) => {
    if (document.kind !== "Flow") return [];
    const { id, organizationId, graph } = document;
    return [{ id, organizationId, ...validate(graph, references.get(organizationId)!) }];
  });
}
