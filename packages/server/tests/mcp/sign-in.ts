import { type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { publicClient } from "../support/open-id-provider.ts";
import { RedirectBrowser } from "../support/redirect-browser.ts";
import { newClient } from "./support.ts";

/** Where the provider sends the user back to; nobody listens there. */
export const CALLBACK = "http://127.0.0.1:1/callback";

/** What a client of the protocol keeps, and where it would send its user. */
function clientAuth() {
  let tokens: { access_token: string; token_type: string } | undefined;
  let verifier = "";
  const kept = { where: undefined as URL | undefined };
  const authProvider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    clientInformation: () => ({ client_id: publicClient }),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (kept.where = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
  };
  return { kept, authProvider, token: () => tokens!.access_token };
}

/** As every client of the protocol does it: from the 401 to the metadata, the provider, its user's consent and back. */
export async function signIn(resource: string) {
  const auth = clientAuth();
  const transport = () => new StreamableHTTPClientTransport(new URL(resource), auth);
  const first = transport();
  await expect(newClient().connect(first)).rejects.toThrow("Unauthorized");
  const isBack = (url: URL) => url.href.startsWith(CALLBACK);
  const { url } = await new RedirectBrowser().open(auth.kept.where!.href, isBack);
  await first.finishAuth(url.searchParams);
  return { token: auth.token(), transport };
}
