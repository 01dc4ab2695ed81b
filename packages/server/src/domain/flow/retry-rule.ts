/** Kinds of failure that may pass by themselves, and the names of their errors. */
const causes = new Map<RetryOn, readonly string[]>([
  [
    "connect",
    [
      "ConnectFailed",
      "ConnectionLost",
      "NameNotFound",
      "DatabaseUnavailable",
      "MailServerUnavailable",
      "ToolServerFailed",
    ],
  ],
  [
    "timeout",
    ["ConnectTimeout", "HttpTimeout", "NodeTimeout", "QueryTimeout", "ModelTimeout", "AgentTimeout"],
  ],
  [
    "overload",
    [
      "ConnectionsBusy",
      "DatabaseBusy",
      "MailServerBusy",
      "ModelRateLimited",
      "ModelUnavailable",
      "AgentUnavailable",
      "SandboxLost",
    ],
  ],
]);

/** What a node is tried again after where its document does not say. */
export const defaultRetryOn: readonly RetryOn[] = ["connect", "timeout", "overload", 408, 425, 429, "5xx"];

const retryCauses: readonly string[] = [...causes.keys(), "any"].map(String);

/** A cause, a status of an HTTP answer (`503`, `"5xx"`), or the name of an error. */
export type RetryOn = string | number;

/** What is known of a failed attempt. */
export interface AttemptFailure {
  readonly name: string;
  /** Of the HTTP answer that was not expected. */
  readonly status?: number | undefined;
  /** It says of itself that it may pass. */
  readonly mayPass?: boolean | undefined;
}

/** Whether another attempt may end better. */
export function isRetriedOn(on: readonly RetryOn[], { name, status, mayPass }: AttemptFailure): boolean {
  if (mayPass && on === defaultRetryOn) return true;
  return on.some((entry) => {
    if (entry === "any" || entry === name) return true;
    if (status !== undefined)
      return entry === status || entry === String(status) || entry === `${String(status)[0]}xx`;
    return causes.get(entry)?.includes(name) === true;
  });
}

/** What is wrong with an entry of `retry.on`. */
export function retryOnFault(entry: RetryOn): string | undefined {
  const text = String(entry);
  const isKnown =
    retryCauses.includes(text) || /^[1-5](\d\d|xx)$/.test(text) || /^[A-Z][A-Za-z0-9]*$/.test(text);
  return isKnown
    ? undefined
    : `retry.on holds "${text.slice(0, 60)}"; use ${retryCauses.join(", ")}, a status such as 503 or 5xx, or the name of an error`;
}
