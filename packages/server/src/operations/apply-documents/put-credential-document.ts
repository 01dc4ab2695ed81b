import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { secretPlace } from "../../domain/secret-place.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putCredential } from "../../storage/catalogue/put-credential.ts";
import type { ApplyContext } from "./apply-context.ts";

export async function putCredentialDocument(
  { db, secrets, resolved }: ApplyContext,
  document: CredentialDocument,
): Promise<Outcome> {
  const { organizationId, id, type, allowedHosts, allowUnencrypted } = document;
  const secret = Object.entries(resolved.get(document)!).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(secret));
  const place = secretPlace(organizationId, "credential", id);
  return putCredential(db, {
    organizationId,
    id,
    type,
    allowedHosts: allowedHosts ?? [],
    allowUnencrypted: allowUnencrypted ?? false,
    ciphertext: secrets.seal(place, text),
    fingerprint: secrets.fingerprint(place, text),
  });
}
