import { secretPlace } from "../../domain/secret-place.ts";
import { findCredential } from "../../storage/catalogue/find-credential.ts";
import type { Db } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";

export interface OpenCredential {
  readonly id: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly allowUnencrypted: boolean;
  readonly secret: Readonly<Record<string, string>>;
}

/** Decrypts a credential at the moment it is used. Undefined where the organization has none of that id. */
export async function openCredential(
  { db, secrets }: { db: Db; secrets: SecretBox },
  organizationId: string,
  id: string,
): Promise<OpenCredential | undefined> {
  const stored = await findCredential(db, organizationId, id);
  if (!stored) return undefined;
  const { type, allowedHosts, allowUnencrypted, ciphertext } = stored;
  return {
    id,
    type,
    allowedHosts,
    allowUnencrypted,
    secret: JSON.parse(secrets.open(secretPlace(organizationId, "credential", id), ciphertext)),
  };
}
