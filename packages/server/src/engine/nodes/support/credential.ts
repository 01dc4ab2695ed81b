import type { CredentialType } from "../../../domain/flow/catalogue.ts";
import { credentialSecrets, type CredentialSecret } from "../../../domain/credential-secret.ts";
import { NodeError, type ResolvedCredential } from "../node-type.ts";

/** The secret in the shape of its type. The text names what is missing, never a value. */
export function readSecret<Type extends CredentialType>(
  credential: ResolvedCredential | undefined,
  type: Type,
): CredentialSecret<Type> {
  if (credential === undefined) throw new NodeError("CredentialMissing", `Set a credential of type ${type}.`);
  if (credential.type !== type) {
    throw new NodeError("CredentialInvalid", `The credential ${credential.id} is not of type ${type}.`);
  }
  const result = credentialSecrets[type].safeParse(credential.secret);
  if (result.success) return result.data as CredentialSecret<Type>;
  const fields = [...new Set(result.error.issues.map((issue) => String(issue.path[0])))].join(", ");
  throw new NodeError("CredentialInvalid", `The credential ${credential.id} lacks or misstates: ${fields}.`);
}
