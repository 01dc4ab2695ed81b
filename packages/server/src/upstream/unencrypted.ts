import { UpstreamError } from "./upstream-error.ts";

/** A secret without TLS can be read by everybody on the way: only its owner may want that, and only in a private network. */
export function unencryptedRefused(host: string): UpstreamError {
  const message = `The credential is not sent to ${host} without TLS. Use https or TLS; for a private host set allowUnencrypted on the credential.`;
  return new UpstreamError("CredentialRefused", message);
}
