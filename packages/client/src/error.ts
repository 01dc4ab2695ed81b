import type { ErrorCode, Issue } from "./wire.ts";

/** Failures without an answer of the service: no connection, no answer in time, or somebody else's answer. */
export type ClientErrorCode = "connection_failed" | "timed_out" | "unexpected_answer";

/** What an answer that is no success tells. */
export interface ErrorDetails {
  readonly issues?: readonly Issue[] | undefined;
  readonly validationErrors?: readonly string[] | undefined;
  readonly validationWarnings?: readonly string[] | undefined;
  readonly messageParams?: Readonly<Record<string, string>> | undefined;
  /** What it takes to go on: `faults` of documents, the present `revision` of a draft. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Every failure of a call. `code` is stable and in English (`flow_not_found`); `message` is for people. Without an
 * answer of the service `status` is 0 and the error a `ConnectionError`.
 */
export class MillraceError extends Error implements ErrorDetails {
  override readonly name: string = "MillraceError";
  readonly status: number;
  readonly code: ErrorCode | ClientErrorCode;
  /** Each fault of the request: where, and what. */
  readonly issues: readonly Issue[] | undefined;
  /** Why the flow cannot run. */
  readonly validationErrors: readonly string[] | undefined;
  readonly validationWarnings: readonly string[] | undefined;
  readonly messageParams: Readonly<Record<string, string>> | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** `X-Request-Id`; the service's log knows it. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    code: ErrorCode | ClientErrorCode,
    message: string,
    { cause, ...details }: ErrorDetails & { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.issues = details.issues;
    this.validationErrors = details.validationErrors;
    this.validationWarnings = details.validationWarnings;
    this.messageParams = details.messageParams;
    this.data = details.data;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.requestId = details.requestId;
  }
}

/** 400: the request, the flow or the documents have faults. */
export class BadRequestError extends MillraceError {
  override readonly name: string = "BadRequestError";
}
/** 401: no key, or one that is not valid. */
export class AuthenticationError extends MillraceError {
  override readonly name: string = "AuthenticationError";
}
/** 403: the key may not do this. */
export class PermissionDeniedError extends MillraceError {
  override readonly name: string = "PermissionDeniedError";
}
/** 404: it does not exist, or belongs to somebody else. */
export class NotFoundError extends MillraceError {
  override readonly name: string = "NotFoundError";
}
/** 409: somebody else was faster, or what was named cannot take this now. */
export class ConflictError extends MillraceError {
  override readonly name: string = "ConflictError";
}
/** 429: too many requests, or too many runs wait. */
export class RateLimitError extends MillraceError {
  override readonly name: string = "RateLimitError";
}
/** 5xx: the service, or what stands in front of it. */
export class ServerError extends MillraceError {
  override readonly name: string = "ServerError";
}
/** No answer, or one that is not the service's. */
export class ConnectionError extends MillraceError {
  override readonly name: string = "ConnectionError";
  constructor(code: ClientErrorCode, message: string, cause?: unknown) {
    super(0, code, message, { cause });
  }
}
/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = "TimeoutError";
}

/**
 * Whether something is an error of this client, by its shape: also where two copies of the package are loaded, or it came
 * from another realm.
 */
export function isMillraceError(error: unknown): error is MillraceError {
  if (typeof error !== "object" || error === null) return false;
  const { status, code, message } = error as Partial<MillraceError>;
  return (
    typeof status === "number" &&
    typeof code === "string" &&
    typeof message === "string" &&
    "requestId" in error
  );
}

const CLASSES: Readonly<Record<number, typeof BadRequestError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

interface ErrorBody extends ErrorDetails {
  readonly error?: string;
  readonly message?: string;
  readonly code?: ErrorCode;
}

/** An answer that is no success, whatever it says: a proxy may have written it. */
export async function toError(answer: Response): Promise<MillraceError> {
  const { status, headers } = answer;
  const { error, message, code, ...details } = parse(await answer.text().catch(() => ""));
  const words = [error, message].filter(Boolean).join(": ");
  const known = code ?? (status === 429 ? "too_many_requests" : "unexpected_answer");
  const ErrorClass = CLASSES[status] ?? (status >= 500 ? ServerError : MillraceError);
  return new ErrorClass(status, known, words || `The server answered ${status}`, {
    ...details,
    retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")),
    requestId: headers.get("x-request-id") ?? undefined,
  });
}

/** As a number of seconds or as a date. */
function retryAfterSeconds(text: string | null): number | undefined {
  if (!text) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function parse(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
