import { findUpstreamError } from "./upstream-error.ts";

/** All that is kept of what went wrong with a model: nothing of the address, the prompt, the key or the answer. */
export type ModelFaultKind =
  | "key_refused"
  | "model_unknown"
  | "rate_limited"
  | "request_refused"
  | "address_refused"
  | "overloaded"
  | "broken"
  | "unreachable"
  | "timed_out"
  | "reply_failed"
  | "reply_invalid";

export class ModelFault extends Error {
  readonly kind: ModelFaultKind;
  constructor(kind: ModelFaultKind) {
    super(kind);
    this.name = "ModelFault";
    this.kind = kind;
  }
}

const STATUS_FAULTS: Record<number, ModelFaultKind> = {
  401: "key_refused",
  403: "key_refused",
  404: "model_unknown",
  408: "timed_out",
  425: "overloaded",
  429: "rate_limited",
  500: "broken",
};

export function statusFault(status: number): ModelFault {
  if (status < 400) return new ModelFault("reply_invalid");
  return new ModelFault(STATUS_FAULTS[status] ?? (status > 500 ? "overloaded" : "request_refused"));
}

const CONNECTION_FAULTS: Record<string, ModelFaultKind> = {
  AddressRefused: "address_refused",
  PortRefused: "address_refused",
  UrlRefused: "address_refused",
  CredentialRefused: "address_refused",
  RedirectRefused: "address_refused",
  RequestInvalid: "request_refused",
  ConnectTimeout: "timed_out",
  HttpTimeout: "timed_out",
  ResponseInvalid: "reply_invalid",
  ResponseTooLarge: "reply_invalid",
};

/** What the guard says of a connection. Undefined where the error is none of its own. */
export function connectionFault(error: unknown): ModelFault | undefined {
  const guarded = findUpstreamError(error);
  return guarded && new ModelFault(CONNECTION_FAULTS[guarded.name] ?? "unreachable");
}
