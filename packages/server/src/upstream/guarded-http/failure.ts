import { GuardedHttpError, type GuardedHttpErrorName } from "./guarded-http.ts";
import { UpstreamError } from "../upstream-error.ts";

const texts: Record<string, readonly [GuardedHttpErrorName, string]> = {
  UND_ERR_HEADERS_TIMEOUT: ["HttpTimeout", "did not answer in time."],
  UND_ERR_BODY_TIMEOUT: ["HttpTimeout", "did not send its answer in time."],
  UND_ERR_CONNECT_TIMEOUT: ["ConnectTimeout", "did not accept a connection in time."],
  UND_ERR_HEADERS_OVERFLOW: ["ResponseTooLarge", "sent more than 32 KB of headers."],
  HPE_HEADER_OVERFLOW: ["ResponseTooLarge", "sent more than 32 KB of headers."],
  UND_ERR_INVALID_ARG: [
    "RequestInvalid",
    "cannot be sent such a request: a header, the path or the body is malformed.",
  ],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: [
    "RequestInvalid",
    "cannot be sent such a request: its length is wrong.",
  ],
  ECONNREFUSED: ["ConnectFailed", "refused the connection."],
};

/** What a library says may hold paths, headers and bodies; the author gets a text of ours. */
export function toGuardedError(error: unknown, host: string): GuardedHttpError {
  if (error instanceof GuardedHttpError) return error;
  // The address guard speaks for sockets of every kind; its names are names of ours.
  if (error instanceof UpstreamError)
    return new GuardedHttpError(error.name as GuardedHttpErrorName, error.message);
  const code = codeOf(error);
  const known = texts[code];
  if (known) return new GuardedHttpError(known[0], `${host} ${known[1]}`);
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) {
    return new GuardedHttpError(
      "ConnectFailed",
      `The certificate of ${host} is not trusted, or TLS failed (${code}).`,
    );
  }
  if (/^(HPE_|Z_|ERR_|UND_ERR_RES)/.test(code)) {
    return new GuardedHttpError(
      "ResponseInvalid",
      `${host} sent an answer that is not valid HTTP or cannot be unpacked.`,
    );
  }
  return new GuardedHttpError("ConnectionLost", `${host} broke off the connection.`);
}

function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  // The parser of undici gives no code for half of its errors.
  if (name === "HTTPParserError") return typeof code === "string" ? code : "HPE_";
  return typeof code === "string" ? code : "";
}
