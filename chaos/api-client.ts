import type { Fleet } from "./fleet.ts";
import type { History, Operation } from "./history.ts";

export interface Call {
  readonly kind: string;
  readonly organizationId: string;
  /** Which of the API processes. */
  readonly api: number;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: (operation: Operation) => unknown;
  readonly headers?: Record<string, string>;
  readonly about?: Record<string, unknown>;
  /** Somebody else's key, to see it refused. */
  readonly key?: string;
}

const TIMEOUT_MS = 15_000;

/** Requests as callers make them, each with an honest record of what is known of its outcome. */
export class ApiClient {
  readonly #fleet: Fleet;
  readonly #history: History;
  readonly #keys: ReadonlyMap<string, string>;

  constructor(fleet: Fleet, history: History, keys: ReadonlyMap<string, string>) {
    this.#fleet = fleet;
    this.#history = history;
    this.#keys = keys;
  }

  async call(call: Call): Promise<Operation> {
    const { kind, organizationId, api, method, path, about = {} } = call;
    const address = this.#fleet.address(api);
    const operation = this.#history.invoke({ kind, organizationId, api: address?.name ?? "none", about });
    if (!address) {
      this.#history.end(operation, "fail", undefined, "no process");
      return operation;
    }
    const body = call.body?.(operation);
    try {
      const response = await fetch(`${address.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${call.key ?? this.#keys.get(organizationId)}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...call.headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const answer = (await response.json()) as { data?: unknown };
      const { status } = response;
      // A 5xx says that the service does not know either.
      const outcome = response.ok ? "ok" : status >= 500 ? "unknown" : "fail";
      this.#history.end(operation, outcome, status, response.ok ? answer.data : answer);
    } catch (error) {
      const reason =
        error instanceof Error ? ((error.cause as { code?: string })?.code ?? error.name) : String(error);
      // Refused before anything was sent; everything else may have arrived.
      this.#history.end(operation, reason === "ECONNREFUSED" ? "fail" : "unknown", undefined, reason);
    }
    return operation;
  }
}

/** The suffix that run, queue item and history record share; undefined where nothing was acknowledged. */
export function acknowledgedRun({ outcome, answer }: Operation): string | undefined {
  if (outcome !== "ok" || typeof answer !== "object" || answer === null) return undefined;
  const { id, runId, queueId } = answer as { id?: string; runId?: string; queueId?: string };
  const any = id ?? runId ?? queueId;
  return any === undefined ? undefined : `run_${any.slice(any.indexOf("_") + 1)}`;
}
