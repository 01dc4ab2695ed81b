import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { secretTexts } from "../../domain/credential-secret.ts";
import { resolveSecret } from "../../domain/documents/resolve-secret.ts";
import { NodeError, type ResolvedCredential } from "../nodes/node-type.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The credentials of the files. One whose variable is not set is a fault only of the node that uses it. */
export function fileCredentials(documents: readonly CredentialDocument[], env: Environment) {
  return {
    async resolve(organizationId: string, id: string): Promise<ResolvedCredential> {
      const document = documents.find((one) => one.id === id && one.organizationId === organizationId);
      if (!document)
        throw new NodeError("CredentialNotFound", `There is no credential ${id} in this organization.`);
      const { type, allowedHosts = [], allowUnencrypted = false } = document;
      const resolved = resolveSecret(document, env);
      if ("secret" in resolved) return { id, type, allowedHosts, allowUnencrypted, secret: resolved.secret };
      const faults = resolved.problems.map(({ message }) => message).join("; ");
      throw new NodeError("CredentialInvalid", `The credential ${id} cannot be used: ${faults}.`);
    },
    /** Every text that must not be shown. */
    secrets(): string[] {
      return documents.flatMap((document) => {
        const resolved = resolveSecret(document, env);
        return "secret" in resolved ? secretTexts(resolved.secret) : [];
      });
    },
  };
}
