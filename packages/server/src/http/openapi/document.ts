import { openAiErrorBody } from "@millrace/contract/completions";
import { errorBody, limitedBody } from "@millrace/contract/envelope";
import { locales } from "@millrace/contract/locales";
import type { Sliced } from "../../domain/sliced.ts";
import type { Route } from "../route.ts";
import { Components } from "./components.ts";
import { describeRoute } from "./operation.ts";
import { outgoingWebhooks } from "./webhooks.ts";

const TAGS: Readonly<Record<string, string>> = {
  Authentication: "Whose key it is.",
  Flows: "Metadata of flows; their graphs are never returned here.",
  Runs: "Start, follow, answer, cancel and repeat runs of flows.",
  Queue: "Runs that wait for a free slot.",
  Agents: "Metadata of agents, and chats with them.",
  MCP: "Flows as tools of clients of the Model Context Protocol.",
  OpenAI: "Agents for clients of OpenAI: errors have the shape that those read.",
  Webhooks: "Addresses by which others start flows.",
  Manage:
    "What is around the runs: documents, keys, members, credentials, figures. Each route names the role it needs.",
  Events: "What the service sends to event endpoints.",
  Console: "The web console.",
  Service: "Probes, figures and this document.",
};

/** OpenAPI 3.1 made from the very objects the router is made from: a route cannot be missing from it. */
export function* buildOpenApi(routes: readonly Route[], version: string): Sliced<object> {
  const components = yield* Components.ofContract();
  components.named("Error", errorBody);
  components.named("RateLimited", limitedBody);
  components.named("OpenAiError", openAiErrorBody);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    yield;
    const operation = describeRoute(route, components);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  const webhooks = yield* outgoingWebhooks(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version,
      summary: "Durable execution of flows and agent chats",
      description:
        "Flow execution service: runs, queue, agent chat and webhooks under `/api`, everything around them under `/manage`. " +
        "Answers are `{success: true, data}` or an `Error` with a stable `code`.",
      contact: { name: "Millrace" },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "Where this document was read" }],
    tags: [...new Set([...routes.map((route) => route.tag), "Events"])].map((name) => ({
      name,
      description: TAGS[name] ?? `${name}.`,
    })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(
        Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      parameters: { Locale: localeParameter },
      headers: responseHeaders,
      securitySchemes,
    },
  };
}

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API_KEY>" },
  apiKeyScheme: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "Authorization: ApiKey <API_KEY>",
  },
  apiKeyHeader: { type: "apiKey", in: "header", name: "X-API-Key", description: "X-API-Key: <API_KEY>" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-millrace",
    description: "console session, from pages of this service alone; named millrace without https",
  },
};

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
  "Retry-After": { description: "seconds after which it is worth another try", schema: { type: "integer" } },
};
