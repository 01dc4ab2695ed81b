import { eventLoop } from "../../lifecycle/event-loop.ts";
import { abortable } from "../abortable.ts";
import type { AddressGuard } from "../address-guard.ts";
import type { GuardedAgents } from "./agents.ts";
import { isDecodable, readBounded } from "./body.ts";
import { toGuardedError } from "./failure.ts";
import { requestHeaders, withoutBodyHeaders, withoutSecrets } from "./headers.ts";
import { checkCredentialHost, checkUrl } from "./url.ts";
import { type GuardedAnswer, GuardedHttpError, type GuardedRequest } from "./guarded-http.ts";

/** The time that an exchange may take, until its body is read. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  end(): void;
}

const defaultMaxRedirects = 5;
const defaultMaxBytes = 10 * 1024 * 1024;
const redirects = new Set([301, 302, 303, 307, 308]);

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** Only the first origin gets it. */
  readonly withCredential: boolean;
}

/** One request with its redirects, each hop checked like the first. The limit ends all of it, and closes the socket. */
export async function exchange(
  request: GuardedRequest,
  guard: AddressGuard,
  agents: GuardedAgents,
  limit: TimeLimit,
): Promise<GuardedAnswer> {
  const maxRedirects = request.maxRedirects ?? defaultMaxRedirects;
  let hop = firstHop(request, guard);
  // Many that failed together are tried again together.
  await eventLoop.giveWay(request.organizationId);
  for (let count = 0; ; count += 1) {
    const answer = await send(hop, request, agents, limit.signal);
    const location = headerText(answer.headers["location"]);
    if (maxRedirects === 0 || !redirects.has(answer.statusCode) || location === undefined) {
      // The body is read under the same limit of time, so the limit is over only when the body is.
      answer.body.once("close", () => limit.end());
      return toGuardedAnswer(hop, answer, request);
    }
    answer.body.destroy();
    if (count >= maxRedirects) {
      throw new GuardedHttpError("RedirectRefused", `The server redirects more than ${maxRedirects} times.`);
    }
    hop = nextHop(hop, answer.statusCode, location, request, guard);
  }
}

function firstHop(request: GuardedRequest, guard: AddressGuard): Hop {
  const url = checkUrl(request.url, guard);
  const method = (request.method ?? "GET").toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method) || method === "CONNECT" || method === "TRACE") {
    throw new GuardedHttpError("RequestInvalid", "This HTTP method cannot be used.");
  }
  if (request.credential) checkCredentialHost(request.credential, url);
  const headers = requestHeaders(request.headers ?? {}, request.credential);
  return { url, method, headers, body: request.body, withCredential: request.credential !== undefined };
}

function nextHop(
  from: Hop,
  status: number,
  location: string,
  request: GuardedRequest,
  guard: AddressGuard,
): Hop {
  const url = checkUrl(location, guard, from.url);
  if (from.url.protocol === "https:" && url.protocol === "http:") {
    throw new GuardedHttpError(
      "RedirectRefused",
      "The server redirects from https to http, which is refused.",
    );
  }
  const sameOrigin = url.origin === from.url.origin;
  const headers = sameOrigin ? from.headers : withoutSecrets(from.headers, request.credential);
  const hop = {
    url,
    method: from.method,
    headers,
    body: from.body,
    withCredential: from.withCredential && sameOrigin,
  };
  const becomesGet = status === 303 ? from.method !== "HEAD" : status < 303 && from.method === "POST";
  return becomesGet ? { ...hop, method: "GET", headers: withoutBodyHeaders(headers), body: undefined } : hop;
}

async function send(hop: Hop, request: GuardedRequest, agents: GuardedAgents, signal: AbortSignal) {
  const agent = agents.take(request.organizationId, hop.withCredential ? request.credential : undefined);
  try {
    signal.throwIfAborted();
    const asked = agent.dispatcher.request({
      origin: hop.url.origin,
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: hop.headers,
      body: hop.body ?? null,
      signal,
    });
    // The client heeds its signal only once it is connected.
    const answer = await abortable(asked, signal);
    // A body that is aborted or given up before anybody reads it must not end the process.
    answer.body.on("error", () => {});
    answer.body.once("close", () => agents.giveBack(agent));
    return answer;
  } catch (error) {
    agents.giveBack(agent);
    throw toGuardedError(error, hop.url.hostname);
  }
}

type Answer = Awaited<ReturnType<typeof send>>;

function toGuardedAnswer(
  hop: Hop,
  answer: Answer,
  { organizationId, memory, maxBytes = defaultMaxBytes }: GuardedRequest,
): GuardedAnswer {
  const encoding = headerText(answer.headers["content-encoding"]);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers[name] = value;
  if (isDecodable(encoding)) {
    delete headers["content-encoding"];
    delete headers["content-length"];
  }
  return {
    url: hop.url.href,
    status: answer.statusCode,
    headers,
    body: readBounded(answer.body, encoding, maxBytes, { host: hop.url.hostname, organizationId, memory }),
    close: () => void answer.body.destroy(),
  };
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
