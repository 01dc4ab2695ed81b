import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Refusal } from "../../domain/refusal.ts";
import type { McpCaller } from "../mcp/caller.ts";
import { readSession } from "../mcp/client-session.ts";
import type { McpEndpoint } from "../mcp/endpoint.ts";
import type { McpContext } from "../mcp/mcp-server.ts";
import { headerText } from "../errors.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import { defineRoute, type Route } from "../route.ts";
import type { Site } from "../site.ts";
import type { EventStreams } from "../sse.ts";
import { SCOPES } from "./protected-resource.ts";

const MAX_BODY_BYTES = 3 * 1_048_576;

const MAX_MESSAGES = 20;

/** As far as every message looks alike; the library reads the rest. */
const message = z.looseObject({
  jsonrpc: z.literal("2.0", 'must be "2.0"'),
  id: z.union([z.string(), z.number()], "must be a text or a number").nullish(),
  method: z.string("must be a text").optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});

export interface McpRouteParts {
  readonly context: McpContext;
  readonly streams: EventStreams;
  readonly site: Site;
  /** Where the metadata of this resource is; undefined where keys alone are taken. */
  readonly metadataUrl: () => string | undefined;
}

const shared = {
  path: "/mcp",
  tag: "MCP",
  access: "key",
  takesAccessTokens: true,
  lasting: true,
  stream: "asked",
} as const;

/** With the first use, as most services need none; in several turns of the event loop, as it takes 0.1 s. */
async function loadEndpoint() {
  // Otherwise the library loads it, in the same turn as its own code.
  await import("@modelcontextprotocol/core/internal");
  await nextTurn();
  await import("@modelcontextprotocol/server/validators/ajv");
  await nextTurn();
  await import("@modelcontextprotocol/server");
  await nextTurn();
  await import("../mcp/service-tools.ts");
  await nextTurn();
  const endpoint = await import("../mcp/endpoint.ts");
  await nextTurn();
  return endpoint;
}

/** Flows as tools for MCP clients, over Streamable HTTP and without sessions of its own. */
export function mcpRoutes({ context, streams, site, metadataUrl }: McpRouteParts): Route[] {
  let endpoint: Promise<McpEndpoint> | undefined;
  const load = () => (endpoint ??= loadEndpoint().then((loaded) => new loaded.McpEndpoint(context, streams)));
  const callerOf = (request: Parameters<Route["handle"]>[0]): McpCaller => {
    const { principal, actor, locale, raw } = request;
    if (site.isCrossSite(raw)) throw new Refusal("origin_not_allowed");
    const session = readSession(headerText(raw, "mcp-session-id"));
    return { principal, actor, locale, session, key: idempotencyKeyOf(raw, "Idempotency-Key") };
  };
  const challenge = ({ headers: { authorization } }: FastifyRequest) => {
    const url = metadataUrl();
    if (url === undefined) return "Bearer";
    // A client that brought something has to know that another one is needed.
    const fault = authorization === undefined ? "" : `error="invalid_token", `;
    return `Bearer ${fault}resource_metadata="${url}", scope="${SCOPES.join(" ")}"`;
  };
  return [
    defineRoute({
      ...shared,
      method: "POST",
      name: "callMcp",
      summary: "A message of a Model Context Protocol client: flows with `tool` are its tools",
      challenge,
      headers: {
        "Idempotency-Key": "of a tools/call: the same key is answered with the same run",
        "Mcp-Session-Id": "of clients before 2026-07-28: as initialize has answered it",
        "Mcp-Protocol-Version": "the revision of the protocol",
      },
      body: z.union([message, z.array(message).min(1).max(MAX_MESSAGES)], "must be a JSON-RPC 2.0 message"),
      bodyLimitBytes: MAX_BODY_BYTES,
      answers: {
        200: { description: "The JSON-RPC answer, or a stream that ends with it", schema: z.unknown() },
        202: { description: "A notification or an answer was taken" },
        400: { description: "A JSON-RPC error" },
        404: { description: "A JSON-RPC error: there is no such method" },
      },
      errors: ["origin_not_allowed", "not_a_member", "sign_in_provider_unavailable"],
      async handle(request) {
        const caller = callerOf(request);
        return (await load()).post({ caller, raw: request.raw, reply: request.reply });
      },
    }),
    defineRoute({
      ...shared,
      method: "GET",
      name: "resumeMcp",
      summary: "Go on with the stream of a tools/call that broke off, for clients before 2026-07-28",
      challenge,
      headers: { "Last-Event-ID": "of the last event that was seen; without it the answer is 405" },
      answers: {
        200: { description: "What was missed, and then the answer of the call" },
        405: { description: "There is no stream but those of calls" },
      },
      errors: ["origin_not_allowed", "run_not_found", "not_a_member", "sign_in_provider_unavailable"],
      async handle(request) {
        const caller = callerOf(request);
        return (await load()).resume({ caller, raw: request.raw, reply: request.reply });
      },
    }),
  ];
}
