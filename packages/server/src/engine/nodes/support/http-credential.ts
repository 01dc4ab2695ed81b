import type { HttpCredential } from "../../../upstream/guarded-http/guarded-http.ts";
import type { ResolvedCredential } from "../node-type.ts";
import { readSecret } from "./credential.ts";

/** The header that a credential of one of the three http types stands for. */
export function toHttpCredential(credential: ResolvedCredential | undefined): HttpCredential | undefined {
  if (credential === undefined) return undefined;
  const { allowedHosts, allowUnencrypted = false } = credential;
  return { allowedHosts, allowUnencrypted, header: headerOf(credential) };
}

function headerOf(credential: ResolvedCredential): HttpCredential["header"] {
  switch (credential.type) {
    case "http-basic": {
      const { user, password } = readSecret(credential, "http-basic");
      return {
        name: "authorization",
        value: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
      };
    }
    case "http-header":
      return readSecret(credential, "http-header");
    default:
      return { name: "authorization", value: `Bearer ${readSecret(credential, "http-bearer").token}` };
  }
}
