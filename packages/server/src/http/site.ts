import type { FastifyRequest } from "fastify";
import { isLoopback } from "../domain/loopback.ts";

export interface SiteSettings {
  /** What the server listens on. */
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly webUrl: string | undefined;
}

/** What this service is to a browser: which hosts are it, which requests come from its own pages, and the session they bring. */
export class Site {
  readonly #listensOnLoopback: boolean;
  readonly #origins: readonly URL[];

  constructor({ host, publicUrl, webUrl }: SiteSettings) {
    this.#listensOnLoopback = isLoopback(host);
    this.#origins = [publicUrl, webUrl].filter((url) => url !== undefined).map((url) => new URL(url));
  }

  /**
   * Whether somebody's own name was pointed at this machine: a page of theirs would then be of the same origin as we. As
   * the header came: a page can add the one that proxies set.
   */
  isForeignHost({ headers }: FastifyRequest): boolean {
    if (!this.#listensOnLoopback) return false;
    const url = urlOfHost(headers.host);
    return (
      !url || !(isLoopback(url.hostname) || this.#origins.some(({ hostname }) => hostname === url.hostname))
    );
  }

  /** Whether the browser says that one of our own pages sent this; on every method. */
  isSameOrigin(request: FastifyRequest): boolean {
    const site = request.headers["sec-fetch-site"];
    return site === undefined ? this.#isOwnOrigin(request) : site === "same-origin";
  }

  /** Whether a browser says that somebody else's page sent this. Programs say nothing. */
  isCrossSite(request: FastifyRequest): boolean {
    const { "sec-fetch-site": site, origin } = request.headers;
    return (site !== undefined || origin !== undefined) && !this.isSameOrigin(request);
  }

  isSecure(request: FastifyRequest): boolean {
    if (request.protocol === "https") return true;
    const hostname = urlOfHost(request.headers.host)?.hostname;
    return this.#origins.some((url) => url.protocol === "https:" && url.hostname === hostname);
  }

  /** The secret of the session, of a request that one of our own pages sent; otherwise it is as if there were none. */
  sessionToken(request: FastifyRequest): string | undefined {
    if (request.headers.cookie === undefined) return undefined;
    if (this.isForeignHost(request) || !this.isSameOrigin(request)) return undefined;
    return cookieIn(request.headers.cookie, this.#cookieName(request));
  }

  /** Another cookie of ours; where it counts from is for the caller to know. */
  cookie({ headers }: FastifyRequest, name: string): string | undefined {
    return headers.cookie === undefined ? undefined : cookieIn(headers.cookie, name);
  }

  setSession(request: FastifyRequest, token: string, maxAgeSeconds: number): string {
    return this.#cookie(request, token, maxAgeSeconds);
  }

  forgetSession(request: FastifyRequest): string {
    return this.#cookie(request, "", 0);
  }

  #cookie(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
    const secure = this.isSecure(request) ? "; Secure" : "";
    const name = this.#cookieName(request);
    return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** The prefix lets no other host and no unencrypted page set it. */
  #cookieName(request: FastifyRequest): string {
    return this.isSecure(request) ? "__Host-millrace" : "millrace";
  }

  #isOwnOrigin({ headers, protocol }: FastifyRequest): boolean {
    const { origin, host } = headers;
    if (origin === undefined || host === undefined) return false;
    const own = urlOfHost(host);
    return (
      (own !== undefined && origin === `${protocol}://${own.host}`) ||
      this.#origins.some((url) => url.hostname === own?.hostname && url.origin === origin)
    );
  }
}

/** The value where exactly one cookie has this name: of two nobody knows which is ours. */
function cookieIn(header: string, name: string): string | undefined {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

function urlOfHost(host: string | undefined): URL | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
}
