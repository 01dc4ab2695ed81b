import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { z } from "zod";
import type { IdPrefix } from "../domain/ids.ts";
import type { Actor } from "../domain/actor.ts";
import type { Principal } from "../domain/principal.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Role } from "../domain/role.ts";
import { toIssues } from "./issues.ts";
import type { RateLimits } from "./middleware/rate-limit.ts";

export type BodyType = "json" | "form" | "text";

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is there anyway: however many are sent it, it takes no more memory. */
  readonly isKept?: boolean;
  /** Sent in place of this one, once it is there: the work is done, and what it waits for is no sign of too much work. */
  readonly later?: Promise<Answer>;
}

export interface RouteRequest<Query, Body> {
  /** Present wherever `access` is "key". */
  readonly principal: Principal;
  /** Who this is, for the audit log. */
  readonly actor: Actor;
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
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `{name}` for parameters, as OpenAPI writes it. */
  readonly path: string;
  /** The last parameter takes the rest of the path, slashes too. */
  readonly wildcard?: boolean;
  readonly name: string;
  readonly summary: string;
  /** What else callers should know, in sentences. */
  readonly description?: string;
  readonly tag: string;
  /** `key`: an API key. `token`: the path itself is the secret. `open`: anyone. */
  readonly access: "key" | "token" | "open";
  /** Beside keys, access tokens of the OpenID Connect provider, where one is configured. */
  readonly takesAccessTokens?: boolean;
  /**
   * The role a caller needs in some organization, asked before the body is read; in which one, its operation asks
   * (`organizationFor`, `requireRole`). Left out under /api: there operations alone decide.
   */
  readonly role?: Role;
  readonly query?: Query;
  /** Request headers that mean something here, with a description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly bodyLimitBytes?: number;
  /** JSON unless stated. */
  readonly bodyTypes?: readonly BodyType[];
  /** Streams answer 429 with `success: false`, as the contract says. `asked`: a stream only where Accept names it. */
  readonly stream?: boolean | "asked";
  /** What each message of the stream holds. */
  readonly events?: z.ZodType;
  /** People open it: what is refused is said on a page, too, where a browser asks. */
  readonly isPage?: boolean;
  /** Waits for a reply of unknown length: it is no sign of too much work. */
  readonly lasting?: boolean;
  readonly answers: Readonly<
    Record<
      number,
      {
        readonly description: string;
        readonly schema?: z.ZodType;
        /** Where the answer is no JSON. */
        readonly type?: string;
      }
    >
  >;
  readonly errors: readonly ErrorCode[];
  /** Errors in the shape that the clients of this route read, where it is not the usual one. */
  readonly presentError?: (refusal: Refusal, locale: Locale) => object;
  /** `WWW-Authenticate` of a 401, for clients that look there for what to bring. */
  readonly challenge?: (request: FastifyRequest) => string;
  /** Runs before the body is read, and refuses by throwing; for routes that have to know their caller first. */
  before?(request: FastifyRequest, reply: FastifyReply, limits: RateLimits): Promise<void>;
  /** Counts who comes with a method that the route does not have, where that is not a matter of keys. */
  countStray?(
    request: FastifyRequest,
    reply: FastifyReply,
    at: { readonly params: Readonly<Record<string, string>>; readonly limits: RateLimits },
  ): Promise<void>;
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

interface ParameterForm {
  readonly form: RegExp;
  readonly refusal: ErrorCode;
}

const DESIGN_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** Of a flow, or its draft. */
const VERSION = /^(?:\d{8}\.\d{1,9}|draft)$/;

/** What a parameter must look like to be one at all: 400. */
const PARAMETER_FORMS: Readonly<Record<string, ParameterForm>> = {
  flowId: { form: DESIGN_ID, refusal: "invalid_flow_id" },
  agentId: { form: DESIGN_ID, refusal: "invalid_agent_id" },
  credentialId: { form: DESIGN_ID, refusal: "invalid_id" },
  endpointId: { form: DESIGN_ID, refusal: "invalid_id" },
  testId: { form: DESIGN_ID, refusal: "invalid_id" },
  organizationId: { form: DESIGN_ID, refusal: "invalid_id" },
  userId: { form: DESIGN_ID, refusal: "invalid_id" },
  runId: { form: /^run_/, refusal: "invalid_run_id" },
  otherRunId: { form: /^run_/, refusal: "invalid_run_id" },
};

/** What cannot be an id of ours cannot exist: 404, without a query. */
const ID_FORMS: Readonly<Record<string, ParameterForm>> = {
  runId: { form: idForm("run"), refusal: "run_not_found" },
  otherRunId: { form: idForm("run"), refusal: "run_not_found" },
  jobId: { form: idForm("job"), refusal: "job_not_found" },
  queueId: { form: idForm("queue"), refusal: "queue_item_not_found" },
  sessionId: { form: idForm("session"), refusal: "session_not_found" },
  shareId: { form: idForm("share"), refusal: "link_not_found" },
  keyId: { form: idForm("key"), refusal: "key_not_found" },
  // Of a session of the console.
  id: { form: idForm("login"), refusal: "session_not_found" },
  // Of a node, and behind it the items of the containers around it: fetch[3].
  nodeKey: { form: /^\P{Cc}+$/u, refusal: "node_not_found" },
  version: { form: VERSION, refusal: "version_not_found" },
  other: { form: VERSION, refusal: "version_not_found" },
  scheduleId: { form: DESIGN_ID, refusal: "schedule_not_found" },
};

type PathParameters = Readonly<Record<string, string>>;

export function checkParameters(params: PathParameters): void {
  check(params, PARAMETER_FORMS);
}

export function refuseImpossibleIds(params: PathParameters): void {
  check(params, ID_FORMS);
}

function check(params: PathParameters, forms: Readonly<Record<string, ParameterForm>>): void {
  for (const [name, value] of Object.entries(params)) {
    const known = forms[name];
    if (known && !known.form.test(value)) throw new Refusal(known.refusal);
  }
}

function idForm(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[A-Za-z0-9]{1,60}$`);
}

export function parseOrRefuse(schema: z.ZodType | undefined, value: unknown, code: ErrorCode): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Refusal(code, { issues: toIssues(parsed.error) });
}

const FOR_PEOPLE = /^\/(?:manage|console|mcp)(?:\/|$)/;

/** What browsers and programs on this machine use, and other pages must not reach by a name of their own. */
export function isForPeople(path: string): boolean {
  return FOR_PEOPLE.test(path);
}
