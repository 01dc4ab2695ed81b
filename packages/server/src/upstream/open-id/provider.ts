import type { Configuration } from "openid-client";

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const TIMEOUT_SECONDS = 10;
const FRESH_MS = 3_600_000;
/** Of what the provider answers to anything: a set of keys, or what it knows of a person. */
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * The OpenID Connect provider of this service, as it describes itself; asked again after an hour. The operator has named
 * it, so it may be on this machine or network, where flows may not go. The library is loaded with the first use.
 */
export class OpenIdProvider {
  readonly settings: OpenIdSettings;
  #known: { readonly configuration: Promise<Configuration>; readonly atMs: number } | undefined;

  constructor(settings: OpenIdSettings) {
    this.settings = settings;
  }

  async configuration(): Promise<Configuration> {
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
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    return client.discovery(url, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      [client.customFetch]: boundedFetch,
      // The configuration allows this on the machine itself alone.
      ...(url.protocol === "http:" && { execute: [client.allowInsecureRequests] }),
    });
  }
}

/** What the library and the reader of keys fetch with: no answer is longer than it can have to be. */
export async function boundedFetch(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body) {
    length += part.length;
    if (length > MAX_ANSWER_BYTES) throw new Error("The OpenID Connect provider answers with too much");
    parts.push(part);
  }
  const { status, headers } = response;
  return new Response(Buffer.concat(parts), { status, headers });
}
