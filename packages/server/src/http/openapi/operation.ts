import { type ErrorCode, errorCatalogue } from "@millrace/contract/errors";
import { ALWAYS_ANSWERED } from "../overload.ts";
import { type BodyType, isForPeople, type Route } from "../route.ts";
import { type Components, reference } from "./components.ts";
import { describeAnswers } from "./answers.ts";
import { describeParameters } from "./parameters.ts";

const KEY_ERRORS = [
  "unauthorized",
  "invalid_query",
  "user_disabled",
  "organization_suspended",
  "too_many_requests",
] as const;
const BODY_ERRORS = ["invalid_request_body", "payload_too_large", "unsupported_media_type"] as const;

const BODY_TYPES: Record<BodyType, string> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain",
};

export function describeRoute(route: Route, components: Components): object {
  const isKeyed = route.access === "key";
  return {
    operationId: route.name,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [route.tag],
    ...(route.role && { "x-required-role": route.role }),
    security: isKeyed ? [{ bearer: [] }, { apiKeyScheme: [] }, { apiKeyHeader: [] }, { session: [] }] : [],
    parameters: describeParameters(route),
    ...requestBody(route, components),
    responses: withHeaders(route, { ...describeAnswers(route, components), ...failures(route) }),
  };
}

function descriptionOf({ summary, description, access, role, stream }: Route): string {
  return [
    `${summary}.`,
    description,
    role && `Needs the role \`${role}\`, of the user and of the key.`,
    stream === true && "The answer is a stream of Server-Sent Events, each `data:` one JSON object.",
    access === "token" && "The path is the secret; no key is needed.",
    access === "open" && "No key is needed.",
  ]
    .filter(Boolean)
    .join(" ");
}

function errorsOf(route: Route): ErrorCode[] {
  return [
    ...(route.access === "key" ? KEY_ERRORS : []),
    ...(route.role ? (["access_denied"] as const) : []),
    ...(isForPeople(route.path) ? (["host_not_allowed"] as const) : []),
    // Also where no body is asked for: one that comes is read.
    ...(route.method === "GET" ? [] : BODY_ERRORS),
    ...(ALWAYS_ANSWERED.has(route.path) ? [] : (["service_unavailable"] as const)),
    "headers_too_large",
    "internal_error",
    ...route.errors,
  ];
}

/** A route that takes several types and names no schema takes any value. */
function requestBody(route: Route, components: Components): object {
  if (!route.body && !route.bodyTypes) return {};
  const types = route.bodyTypes ?? ["json"];
  const name = `${route.name[0]!.toUpperCase()}${route.name.slice(1)}Request`;
  const schema = route.body ? components.named(name, route.body, "input") : {};
  const content = Object.fromEntries(
    types.map((type) => [BODY_TYPES[type], { schema: type === "text" ? { type: "string" } : schema }]),
  );
  return { requestBody: { required: route.body?.safeParse(undefined).success === false, content } };
}

const TOLD_HEADERS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** On every answer, and told where somebody reckons with them: said of each failure they would be half of the document. */
function withHeaders(route: Route, responses: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isTold = route.access !== "open" && (Number(status) < 300 || status === "429");
      const names = [...(isTold ? TOLD_HEADERS : []), ...(/429|503/.test(status) ? ["Retry-After"] : [])];
      if (names.length === 0) return [status, response];
      const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
      return [status, { ...response, headers: Object.fromEntries(headers) }];
    }),
  );
}

function failures(route: Route): Record<string, object> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const usual = status === 429 ? "RateLimited" : "Error";
      const schema = reference(route.presentError ? "OpenAiError" : usual);
      const description = [...new Set(group.map((code) => errorCatalogue[code].error.en))].join("; ");
      return [status, { description, content: { "application/json": { schema } } }];
    }),
  );
}
