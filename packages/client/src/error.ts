import type { Issue } from "./wire.ts";

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
 * answer of the service `status` is 0 and `code` is `connection_failed` or `unexpected_answer`.
 */
export class MillraceError extends Error implements ErrorDetails {
  override readonly name = "MillraceError";
  readonly status: number;
  readonly code: string;
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
    code: string,
    message: string,
    { cause, ...details }: ErrorDetails & { cause?: unknown } = {},
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

interface ErrorBody extends ErrorDetails {
  readonly error?: string;
  readonly message?: string;
  readonly code?: string;
}

/** An answer that is no success, whatever stands in it: a proxy may have written it. */
export async function toError(answer: Response): Promise<MillraceError> {
  const { status, headers } = answer;
  const text = await answer.text().catch(() => "");
  const { error, message, code, ...details } = parse(text);
  const words = [error, message].filter(Boolean).join(": ");
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new MillraceError(
    status,
    code ?? (status === 429 ? "too_many_requests" : "unexpected_answer"),
    words || `The server answered ${status}`,
    {
      ...details,
      ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
      requestId: headers.get("x-request-id") ?? undefined,
    },
  );
}

function parse(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
