import type { Configuration } from "openid-client";

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

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
const TIMEOUT_SECONDS = 10;
const FRESH_MS = 3_600_000;

/** Sign-in at an OpenID Connect provider: code flow with PKCE. The library is loaded with the first use. */
export class OpenId {
  readonly #settings: OpenIdSettings;
  #known: { readonly configuration: Promise<Configuration>; readonly atMs: number } | undefined;

  constructor(settings: OpenIdSettings) {
    this.#settings = settings;
  }

  /** Where to send the browser. */
  async begin(redirectUri: string): Promise<{ url: URL; checks: OpenIdChecks }> {
    const client = await import("openid-client");
    const configuration = await this.#configuration();
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
    const configuration = await this.#configuration();
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

  async #configuration(): Promise<Configuration> {
    const nowMs = performance.now();
    if (!this.#known || nowMs - this.#known.atMs > FRESH_MS) {
      const configuration = this.#discover();
      this.#known = { configuration, atMs: nowMs };
      configuration.catch(() => {
        // The next one asks again.
        this.#known = undefined;
      });
    }
    return this.#known.configuration;
  }

  async #discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    return client.discovery(url, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // The configuration allows this on the machine itself alone.
      ...(url.protocol === "http:" && { execute: [client.allowInsecureRequests] }),
    });
  }
}

/** The provider said no, or what it said does not belong together; a connection that failed is something else. */
function isRefusal(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  if (name === "AuthorizationResponseError" || name === "ResponseBodyError") return true;
  return name === "ClientError" && code !== "OAUTH_TIMEOUT";
}
