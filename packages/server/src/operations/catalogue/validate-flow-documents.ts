import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import type { FlowValidation } from "../../domain/flow/validate.ts";
import type { Pool } from "../../storage/pool.ts";
import { checkFlows } from "../apply-documents/check-flows.ts";
import { Findings } from "../apply-documents/findings.ts";
import { readReferences } from "../apply-documents/flow-references.ts";
import { readDocuments } from "../apply-documents/read-documents.ts";

export interface ValidatedFlow extends FlowValidation {
  readonly id: string;
  readonly organizationId: string;
}

/** Whether the flows of these files would run, beside what the files bring and, with a pool, what is stored. */
export async function validateFlowDocuments(
  { pool, catalogue }: { pool?: Pool; catalogue: NodeCatalogue },
  paths: readonly string[],
): Promise<ValidatedFlow[]> {
  const documents = await readDocuments(paths);
  const references = await readReferences(pool, documents);
  const findings = new Findings();
  const checks = await checkFlows(catalogue, documents, references, {
    findings,
    asDrafts: true,
    storedHash: () => Promise.resolve(undefined),
  });
  await findings.throwAny();
  return [...checks].map(([{ id, organizationId }, validation]) => ({ id, organizationId, ...validation }));
}
