import type { JWTPayload, RemoteJWKSet } from "jose";
import type { Configuration } from "openid-client";
import { boundedFetch, type OpenIdProvider } from "./provider.ts";

/** Somebody whom the provider has given a token for this service to, until a moment. */
export interface TokenHolder {
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly expiresAt: Date;
  /** The program that was given the token, where it is known. */
  readonly clientId: string;
}

export interface AccessTokenOptions {
  /** The address of what the token has to be for (RFC 8707). */
  readonly resource: string;
  readonly now: Date;
}

/** Signatures that are proved with a public key: nobody can make one with what the provider publishes. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Of RFC 9068. Others give access tokens the type that any token has. */
const TYPE_OF_ACCESS_TOKENS = /^(?:application\/)?at\+jwt$/i;
const TYPE_OF_ANY_TOKEN = /^(?:application\/)?jwt$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const CLOCK_TOLERANCE_SECONDS = 30;
const TIMEOUT_MS = 10_000;
/** What is the fault of the provider, not of the token. */
const FAULTS_OF_PROVIDER = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

type Claims = Readonly<Record<string, unknown>>;

/** Reads access tokens that the provider has issued for this service. */
export class AccessTokenReader {
  readonly #provider: OpenIdProvider;
  /** Kept for ten minutes; asked for once more for a key that is not among them, at most every 30 seconds. */
  #keys: { readonly uri: string; readonly set: RemoteJWKSet } | undefined;

  constructor(provider: OpenIdProvider) {
    this.#provider = provider;
  }

  /** Undefined for a token that the provider did not issue, or not for this service. A provider that cannot be asked is an error. */
  async read(token: string, options: AccessTokenOptions): Promise<TokenHolder | undefined> {
    const configuration = await this.#provider.configuration();
    const claims = JWT.test(token)
      ? await this.#verify(configuration, token, options)
      : await this.#introspect(configuration, token, options);
    // One that is bound to a key of its holder proves nothing without that key.
    if (!claims || claims["cnf"] !== undefined || typeof claims["sub"] !== "string") return undefined;
    const person = await this.#personOf(configuration, token, claims);
    const { email, email_verified: verified } = person;
    const clientId = claims["client_id"] ?? claims["azp"];
    return {
      email: typeof email === "string" ? email : undefined,
      emailVerified: verified === true,
      expiresAt: new Date((claims["exp"] as number) * 1_000),
      clientId: typeof clientId === "string" ? clientId : "",
    };
  }

  async #verify(
    configuration: Configuration,
    token: string,
    { resource, now }: AccessTokenOptions,
  ): Promise<Claims | undefined> {
    const { jwtVerify } = await import("jose");
    const { issuer, jwks_uri: uri } = configuration.serverMetadata();
    if (uri === undefined) return undefined;
    const { clientId } = this.#provider.settings;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await this.#keySet(uri), {
        algorithms: ALGORITHMS,
        issuer,
        audience: [resource, clientId],
        requiredClaims: ["exp", "sub"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now,
      });
      return isAccessToken(protectedHeader.typ, payload, resource) ? payload : undefined;
    } catch (error) {
      if (isFaultOfToken(error)) return undefined;
      throw error;
    }
  }

  async #keySet(uri: string): Promise<RemoteJWKSet> {
    if (this.#keys?.uri !== uri) {
      const { createRemoteJWKSet, customFetch } = await import("jose");
      const set = createRemoteJWKSet(new URL(uri), {
        timeoutDuration: TIMEOUT_MS,
        [customFetch]: boundedFetch,
      });
      this.#keys = { uri, set };
    }
    return this.#keys.set;
  }

  /** What a token means that can only be read by the provider; it is asked where it offers that. */
  async #introspect(
    configuration: Configuration,
    token: string,
    { resource, now }: AccessTokenOptions,
  ): Promise<Claims | undefined> {
    const { issuer, introspection_endpoint: endpoint } = configuration.serverMetadata();
    if (endpoint === undefined) return undefined;
    const { tokenIntrospection } = await import("openid-client");
    const claims = await tokenIntrospection(configuration, token, { token_type_hint: "access_token" });
    const { active, iss = issuer, aud, exp, nbf = 0, token_type: type = "Bearer" } = claims;
    const nowSeconds = now.getTime() / 1_000;
    const isGood =
      active &&
      iss === issuer &&
      audiencesOf(aud).includes(resource) &&
      typeof exp === "number" &&
      exp > nowSeconds &&
      nbf <= nowSeconds + CLOCK_TOLERANCE_SECONDS &&
      type.toLowerCase() === "bearer";
    return isGood ? claims : undefined;
  }

  /** A token need not say whose it is; the provider then does. */
  async #personOf(configuration: Configuration, token: string, claims: Claims): Promise<Claims> {
    const isTold = typeof claims["email"] === "string" && claims["email_verified"] !== undefined;
    if (isTold || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const { fetchUserInfo } = await import("openid-client");
    try {
      return await fetchUserInfo(configuration, token, claims["sub"] as string);
    } catch (error) {
      // Many providers tell nobody about a token that is for somebody else.
      const { name, code } = error as { name?: string; code?: string };
      if (name === "WWWAuthenticateChallengeError" || name === "ResponseBodyError") return claims;
      if (name === "ClientError" && code !== "OAUTH_TIMEOUT") return claims;
      throw error;
    }
  }
}

/** An ID token is for the client too, and is none: only a token that says so is taken for the client's name alone. */
function isAccessToken(type: string | undefined, { aud }: JWTPayload, resource: string): boolean {
  if (type !== undefined && TYPE_OF_ACCESS_TOKENS.test(type)) return true;
  return (type === undefined || TYPE_OF_ANY_TOKEN.test(type)) && audiencesOf(aud).includes(resource);
}

function audiencesOf(audience: unknown): readonly unknown[] {
  return Array.isArray(audience) ? audience : [audience];
}

function isFaultOfToken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^ERR_J(?:OSE|W)/.test(code) && !FAULTS_OF_PROVIDER.has(code);
}
