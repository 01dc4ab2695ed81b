import { noteLost, noteReached } from "../lib/connection.ts";
import { forgetSession } from "../lib/session.ts";

/** What a refused or failed request says: the service's own words, its code, and how to find it in the logs. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** What kind of fault it is, where the message is for programs. */
  readonly title: string;
  readonly issues: readonly { path: readonly (string | number)[]; message: string }[];

  constructor(status: number, body: Partial<ErrorBody>, requestId?: string) {
    super(body.message ?? body.error ?? "");
    this.status = status;
    this.code = body.code ?? (status === 0 ? "connection_failed" : "unexpected_answer");
    this.requestId = requestId;
    this.title = body.error ?? this.message;
    this.issues = body.issues ?? [];
  }
}

interface ErrorBody {
  message: string;
  error: string;
  code: string;
  issues: { path: (string | number)[]; message: string }[];
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Request {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

let locale = "en";
export function setRequestLocale(chosen: string): void {
  locale = chosen;
}

let onSignedOut = () => {};
/** Called when the service does not know the session any more. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** The whole body of an answer, whose shape the caller states. The session cookie proves who asks. */
export async function request<Body>(path: string, options: Request = {}): Promise<Body> {
  const answer = await send(path, options, "application/json");
  if (answer.status === 204) return undefined as Body;
  try {
    return (await answer.json()) as Body;
  } catch {
    throw new ApiError(answer.status, {}, answer.headers.get("x-request-id") ?? undefined);
  }
}

/** `data` of the usual envelope. */
export async function requestData<Data>(path: string, options: Request = {}): Promise<Data> {
  return (await request<{ data: Data }>(path, options)).data;
}

export async function send(path: string, options: Request, accept: string): Promise<Response> {
  const { method = "GET", query, body, signal } = options;
  let answer: Response;
  try {
    answer = await fetch(path + queryText(query), {
      method,
      headers: {
        accept,
        "x-locale": locale,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    noteLost();
    throw new ApiError(0, { message: String(cause) });
  }
  noteReached();
  if (answer.ok) return answer;
  const error = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>;
  if (answer.status === 401 && path !== "/manage/sessions") {
    forgetSession();
    onSignedOut();
  }
  throw new ApiError(answer.status, error, answer.headers.get("x-request-id") ?? undefined);
}

export function queryText(query: Request["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    search.set(name, String(value));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}
