import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { z } from "zod";
import type { Principal } from "../domain/principal.ts";
import { Refusal } from "../domain/refusal.ts";
import type { RateLimits } from "./middleware/rate-limit.ts";

export type BodyType = "json" | "form" | "text";

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteRequest<Query, Body> {
  /** Present wherever `access` is "key". */
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly locale: Locale;
  readonly raw: FastifyRequest;
  /** For streams only: the route then writes the answer itself and returns nothing. */
  readonly reply: FastifyReply;
  readonly limits: RateLimits;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One endpoint: what it takes, what it answers, and what it does. The router and OpenAPI are made from it. */
export interface Route<
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly method: "GET" | "POST" | "DELETE";
  /** With `{name}` for parameters, as OpenAPI writes it. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly tag: string;
  /** `key`: an API key. `token`: the path itself is the secret. `open`: anyone. */
  readonly access: "key" | "token" | "open";
  readonly query?: Query;
  readonly body?: Body;
  readonly bodyLimitBytes?: number;
  /** JSON unless stated. */
  readonly bodyTypes?: readonly BodyType[];
  /** Streams answer 429 with `success: false`, as the contract says. */
  readonly stream?: boolean;
  /** Waits for a reply of unknown length: it is no sign of too much work. */
  readonly lasting?: boolean;
  readonly answers: Readonly<Record<number, { readonly description: string; readonly schema?: z.ZodType }>>;
  readonly errors: readonly ErrorCode[];
  /** Runs before the body is read, and refuses by throwing; for routes that have to know their caller first. */
  before?(request: FastifyRequest, reply: FastifyReply, limits: RateLimits): Promise<void>;
  handle(
    request: RouteRequest<Parsed<Query>, Parsed<Body>>,
  ): Promise<Answer | undefined> | Answer | undefined;
}

/** What an operation takes as its first argument: all that a route which calls it is given. */
export type ContextOf<Operation extends (context: never, ...rest: never[]) => unknown> =
  Parameters<Operation>[0];

/** Keeps the inferred types inside the route file; outside all routes look alike. */
export function defineRoute<
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(route: Route<Query, Body>): Route {
  return route as unknown as Route;
}

const PARAMETER_FORMS: Record<string, { form: RegExp; refusal: ErrorCode }> = {
  flowId: { form: /^[A-Za-z0-9_-]{1,64}$/, refusal: "invalid_flow_id" },
  agentId: { form: /^[A-Za-z0-9_-]{1,64}$/, refusal: "invalid_agent_id" },
  runId: { form: /^run_[A-Za-z0-9]{1,60}$/, refusal: "invalid_run_id" },
  // What cannot be an id of ours cannot exist.
  queueId: { form: /^queue_[A-Za-z0-9]{1,60}$/, refusal: "queue_item_not_found" },
  sessionId: { form: /^session_[A-Za-z0-9]{1,60}$/, refusal: "session_not_found" },
};

export function checkParameters(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    const known = PARAMETER_FORMS[name];
    if (known && !known.form.test(value)) throw new Refusal(known.refusal);
  }
}

export function parseOrRefuse(schema: z.ZodType | undefined, value: unknown, code: ErrorCode): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refusal(code, {
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === "symbol" ? String(part) : part)),
      message: issue.message,
    })),
  });
}
