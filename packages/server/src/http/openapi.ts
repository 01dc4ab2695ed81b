import { errorBody, rateLimitBody } from "@millrace/contract/envelope";
import { type ErrorCode, errorCatalogue } from "@millrace/contract/errors";
import { locales } from "@millrace/contract/locales";
import { z } from "zod";
import { ALWAYS_ANSWERED } from "./overload.ts";
import { type BodyType, isForPeople, type Route } from "./route.ts";

/** OpenAPI 3.1 made from the very objects the router is made from: a route cannot be missing from it. */
export function buildOpenApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version,
      description: "Flow execution service: runs, queue, agent chat and webhooks.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody), RateLimited: jsonSchema(rateLimitBody) },
      parameters: { Locale: localeParameter },
      headers: responseHeaders,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
        apiKeyScheme: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "Authorization: ApiKey <API_KEY>",
        },
        apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-millrace",
          description: "console session, from pages of this service alone; named millrace without https",
        },
      },
    },
  };
}

const localeParameter = {
  name: "X-Locale",
  in: "header",
  description: "language of error texts; en where it is left out or unknown",
  schema: { type: "string", enum: locales },
};

const responseHeaders = {
  "X-Request-Id": { description: "name of this request in the logs", schema: { type: "string" } },
  "X-RateLimit-Limit": { description: "max requests in the window", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "requests left in the window", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "end of the window in Unix seconds", schema: { type: "integer" } },
};

const KEY_ERRORS = [
  "unauthorized",
  "invalid_query",
  "user_disabled",
  "organization_suspended",
  "too_many_requests",
] as const;
const BODY_ERRORS = ["invalid_request_body", "payload_too_large", "unsupported_media_type"] as const;

function describeRoute(route: Route): object {
  const keyed = route.access === "key";
  const codes: ErrorCode[] = [
    ...(keyed ? KEY_ERRORS : []),
    ...(route.role ? (["access_denied"] as const) : []),
    ...(isForPeople(route.path) ? (["host_not_allowed"] as const) : []),
    // Also where no body is asked for: one that comes is read.
    ...(route.method === "GET" ? [] : BODY_ERRORS),
    ...(ALWAYS_ANSWERED.has(route.path) ? [] : (["service_unavailable"] as const)),
    "internal_error",
    ...route.errors,
  ];
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.tag],
    ...(route.role && { "x-required-role": route.role }),
    security: keyed ? [{ bearer: [] }, { apiKeyScheme: [] }, { apiKeyHeader: [] }, { session: [] }] : [],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...headerParameters(route),
      ...(route.access === "open" ? [] : [{ $ref: "#/components/parameters/Locale" }]),
    ],
    ...requestBody(route),
    responses: withHeaders(route, { ...successes(route), ...failures(codes) }),
  };
}

const BODY_TYPES: Record<BodyType, string> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain",
};

/** A route that takes several types and names no schema takes any value. */
function requestBody(route: Route): object {
  if (!route.body && !route.bodyTypes) return {};
  const types = route.bodyTypes ?? ["json"];
  const schema = route.body ? jsonSchema(route.body, "input") : {};
  const content = Object.fromEntries(
    types.map((type) => [BODY_TYPES[type], { schema: type === "text" ? { type: "string" } : schema }]),
  );
  return { requestBody: { required: route.body?.safeParse(undefined).success === false, content } };
}

function headerParameters({ headers = {} }: Route): object[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
}

/** On every answer, and told where somebody reckons with them: said of each failure they would be half of the document. */
function withHeaders(route: Route, responses: Record<string, object>): Record<string, object> {
  if (route.access === "open") return responses;
  const headers = Object.fromEntries(
    Object.keys(responseHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isTold = Number(status) < 300 || status === "429";
      return [status, isTold ? { ...response, headers } : response];
    }),
  );
}

function pathParameters(route: Route): object[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(route: Route): object[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = jsonSchema(route.query, "input") as {
    properties?: Record<string, { description?: string; parameter?: object }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, parameter, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description && { description }),
    // What a text in an address stands for, where that is no text.
    schema: parameter ?? schema,
  }));
}

function successes(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, { description, schema, type }]) => {
      const content = {
        ...(type && { [type]: { schema: { type: type.endsWith("json") ? "object" : "string" } } }),
        ...(schema && { "application/json": { schema: jsonSchema(schema) } }),
        ...(route.stream && status === "200" && { "text/event-stream": { schema: { type: "string" } } }),
      };
      return [status, { description, ...(Object.keys(content).length > 0 && { content }) }];
    }),
  );
}

function failures(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const schema = group.includes("too_many_requests") ? "RateLimited" : "Error";
      const description = [...new Set(group.map((code) => errorCatalogue[code].error.en))].join("; ");
      return [
        status,
        {
          description,
          content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
        },
      ];
    }),
  );
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
  return rest;
}
