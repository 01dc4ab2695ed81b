import type { CredentialDocument } from "@millrace/contract/documents/credential";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";
import { resolveSecret } from "../../domain/documents/resolve-secret.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { openCredential } from "../credentials/open-credential.ts";
import type { Findings } from "./findings.ts";

interface Resolved {
  readonly secret: Readonly<Record<string, string>>;
  readonly kept: readonly string[];
}

export type ResolvedSecrets = ReadonlyMap<CredentialDocument, Resolved>;

/** The secret of every credential document; what is stored stays where its variable is not set. */
export async function resolveSecrets(
  stored: { readonly db: Db; readonly secrets: SecretBox },
  documents: readonly PlacedDocument[],
  env: Readonly<Record<string, string | undefined>>,
  findings: Findings,
): Promise<ResolvedSecrets> {
  const resolved = new Map<CredentialDocument, Resolved>();
  for (const placed of documents) {
    const { document } = placed;
    if (document.kind !== "Credential") continue;
    const known = await openCredential(stored, document.organizationId, document.id);
    const result = resolveSecret(document, env, known);
    if ("secret" in result) resolved.set(document, result);
    else for (const problem of result.problems) findings.add(placed, problem);
  }
  return resolved;
}
