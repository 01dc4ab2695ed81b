import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { secretPlace } from "../../domain/secret-place.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putCredential } from "../../storage/catalogue/put-credential.ts";
import type { ApplyContext } from "./apply-context.ts";

export async function putCredentialDocument(
  { db, secrets, resolved }: ApplyContext,
  document: CredentialDocument,
): Promise<{ outcome: Outcome; warnings?: string[] }> {
  const { organizationId, id, type, allowedHosts, allowUnencrypted } = document;
  const { secret, kept } = resolved.get(document)!;
  const fields = Object.entries(secret).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(fields));
  const place = secretPlace(organizationId, "credential", id);
  const outcome = await putCredential(db, {
    organizationId,
    id,
    type,
    allowedHosts: allowedHosts ?? [],
    allowUnencrypted: allowUnencrypted ?? false,
    ciphertext: secrets.seal(place, text),
    fingerprint: secrets.fingerprint(place, text),
  });
  if (kept.length === 0) return { outcome };
  const names = kept.length === 1 ? `${kept[0]} is` : `${kept.join(", ")} are`;
  return { outcome, warnings: [`The stored secret is kept: ${names} not set.`] };
}
