import type { MemoryPort } from "../../lifecycle/shared-memory.ts";
import { UpstreamError } from "../upstream-error.ts";

/**
 * The one way out of the service: nodes, agents, MCP and event delivery all go through it.
 * A request is refused with a GuardedHttpError before a connection is made where the address is not allowed.
 */
export interface GuardedHttp {
  request(request: GuardedRequest): Promise<GuardedResponse>;
  /** The same with the body as it comes. */
  open(request: GuardedRequest): Promise<GuardedAnswer>;
  /** The same guard as a WHATWG fetch, for libraries that take one (MCP). Streams the body. */
  fetchFor(options: {
    organizationId: string;
    credential?: HttpCredential;
    maxBytes?: number;
    totalMs?: number;
  }): typeof fetch;
  close(): Promise<void>;
}

export interface HttpCredential {
  /** `api.example.com`, `*.example.com` (its subdomains), either with `:port`; without one, any port. */
  readonly allowedHosts: readonly string[];
  /** Also over plain http, to private addresses. */
  readonly allowUnencrypted?: boolean;
  /** Header added only to the allowed hosts, and dropped when a redirect changes the origin. */
  readonly header: { readonly name: string; readonly value: string };
}

export interface GuardedRequest {
  readonly organizationId: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly credential?: HttpCredential;
  readonly signal?: AbortSignal;
  /** 0 makes any redirect an answer like another (event delivery). Default 5. */
  readonly maxRedirects?: number;
  /** Whole exchange; default 60 s, at most 300 s. */
  readonly totalMs?: number;
  /** After decompression; default 10 MB. */
  readonly maxBytes?: number;
  /** What the answer is counted for while it is read. */
  readonly memory?: MemoryPort | undefined;
}

export interface GuardedAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** To be read, whole or in part; otherwise `close` frees the connection. */
  readonly body: AsyncGenerator<Uint8Array>;
  close(): void;
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array;
}

export type GuardedHttpErrorName =
  | "AddressRefused"
  | "PortRefused"
  | "UrlRefused"
  | "RequestInvalid"
  | "CredentialRefused"
  | "RedirectRefused"
  | "NameNotFound"
  | "ConnectFailed"
  | "ConnectTimeout"
  | "HttpTimeout"
  | "ConnectionLost"
  | "ResponseInvalid"
  | "ResponseTooLarge"
  | "RequestCanceled";

/** Its text is written for the author of the flow: it names the host at most, never a path, a header or a body. */
export class GuardedHttpError extends UpstreamError {
  declare readonly name: GuardedHttpErrorName;
  // oxlint-disable-next-line no-useless-constructor -- it narrows the name
  constructor(name: GuardedHttpErrorName, message: string) {
    super(name, message);
  }
}
