import { errorBody, rateLimitBody } from "@millrace/contract/envelope";
import { type ErrorCode, errorCatalogue } from "@millrace/contract/errors";
import { z } from "zod";
import { ALWAYS_ANSWERED } from "./overload.ts";
import type { Route } from "./route.ts";

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
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
        apiKeyScheme: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "Authorization: ApiKey <API_KEY>",
        },
        apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
      },
    },
  };
}

const KEY_ERRORS = ["unauthorized", "user_disabled", "organization_suspended", "too_many_requests"] as const;
const BODY_ERRORS = ["invalid_request_body", "payload_too_large", "unsupported_media_type"] as const;

function describeRoute(route: Route): object {
  const keyed = route.access === "key";
  const codes: ErrorCode[] = [
    ...(keyed ? KEY_ERRORS : []),
    // Also where no body is asked for: one that comes is read.
    ...(route.method === "GET" ? [] : BODY_ERRORS),
    ...(ALWAYS_ANSWERED.has(route.path) ? [] : (["service_unavailable"] as const)),
    ...route.errors,
  ];
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.tag],
    security: keyed ? [{ bearer: [] }, { apiKeyScheme: [] }, { apiKeyHeader: [] }] : [],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(route.body, "input") } },
      },
    }),
    responses: { ...successes(route), ...failures(codes) },
  };
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
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }));
}

function successes(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, { description, schema }]) => {
      if (schema)
        return [status, { description, content: { "application/json": { schema: jsonSchema(schema) } } }];
      const isStream = route.stream && status === "200";
      return [
        status,
        {
          description,
          ...(isStream && { content: { "text/event-stream": { schema: { type: "string" } } } }),
        },
      ];
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
