import type { OpenIdProvider } from "./provider.ts";

/** What has to be known again when the browser comes back. */
export interface OpenIdChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OpenIdPerson {
  readonly email: string | undefined;
  readonly emailVerified: boolean;
}

const SCOPE = "openid email";

/** Sign-in at an OpenID Connect provider: code flow with PKCE. */
export class OpenIdSignIn {
  readonly #provider: OpenIdProvider;

  constructor(provider: OpenIdProvider) {
    this.#provider = provider;
  }

  /** Where to send the browser. */
  async begin(redirectUri: string): Promise<{ url: URL; checks: OpenIdChecks }> {
    const client = await import("openid-client");
    const configuration = await this.#provider.configuration();
    const verifier = client.randomPKCECodeVerifier();
    const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return { url, checks };
  }

  /** Who came back; undefined where the answer is not one to this question. `address` is the one the browser came to. */
  async end(address: URL, { state, nonce, verifier }: OpenIdChecks): Promise<OpenIdPerson | undefined> {
    const client = await import("openid-client");
    const configuration = await this.#provider.configuration();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      // Most providers tell the address only where they are asked for it.
      const person =
        typeof claims["email"] === "string"
          ? claims
          : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const email = person["email"];
      return {
        email: typeof email === "string" ? email : undefined,
        emailVerified: person["email_verified"] === true,
      };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }
}

/** The provider said no, or what it said does not belong together; a connection that failed is something else. */
function isRefusal(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  if (name === "AuthorizationResponseError" || name === "ResponseBodyError") return true;
  return name === "ClientError" && code !== "OAUTH_TIMEOUT";
}
