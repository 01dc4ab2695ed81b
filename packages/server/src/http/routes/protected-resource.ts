import { z } from "zod";
import { defineRoute, type Route } from "../route.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

const metadata = z.strictObject({
  resource: z.string(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
});

/** What tokens for /mcp have to be for. */
export function mcpResource(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/** What a token has to tell of its holder. */
export const SCOPES = ["openid", "email"];

/** Where the metadata of /mcp is, as its challenges say. */
export function protectedResourceUrl(publicUrl: string): string {
  return `${publicUrl}${WELL_KNOWN}/mcp`;
}

/** RFC 9728: which authorization server gives tokens for /mcp. At the path of the resource, and at the root for older clients. */
export function protectedResourceRoutes(issuer: string, publicUrl: () => string): Route[] {
  return [`${WELL_KNOWN}/mcp`, WELL_KNOWN].map((path, at) =>
    defineRoute({
      method: "GET",
      path,
      name: at === 0 ? "getMcpResource" : "getResource",
      summary: "Which OpenID Connect provider gives tokens for /mcp",
      tag: "MCP",
      access: "open",
      answers: { 200: { description: "Metadata of the protected resource (RFC 9728)", schema: metadata } },
      errors: [],
      handle: () => ({
        status: 200,
        headers: { "access-control-allow-origin": "*" },
        body: {
          resource: mcpResource(publicUrl()),
          resource_name: "Millrace",
          authorization_servers: [issuer],
          bearer_methods_supported: ["header"],
          scopes_supported: SCOPES,
        },
      }),
    }),
  );
}
