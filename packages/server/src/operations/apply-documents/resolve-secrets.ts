import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { DocumentFaults, type Fault } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { resolveSecret } from "../../domain/documents/resolve-secret.ts";

export type ResolvedSecrets = ReadonlyMap<CredentialDocument, Readonly<Record<string, string>>>;

/** The secret of every credential document, or every fault of them. */
export function resolveSecrets(
  documents: readonly PlacedDocument[],
  env: Readonly<Record<string, string | undefined>>,
): ResolvedSecrets {
  const resolved = new Map<CredentialDocument, Record<string, string>>();
  const faults: Fault[] = [];
  for (const { document, fault } of documents) {
    if (document.kind !== "Credential") continue;
    const result = resolveSecret(document, env);
    if ("secret" in result) resolved.set(document, result.secret);
    else faults.push(...result.problems.map(fault));
  }
  if (faults.length > 0) throw new DocumentFaults(faults);
  return resolved;
}
