import { anyObject } from "@millrace/contract/any-object";
import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { toHttpCredential } from "./support/http-credential.ts";

export const mcpTool = defineNode({
  type: "mcp-tool",
  summary: "Calls one tool of an MCP server over HTTP.",
  inputs: z.object({
    url: z.url({ protocol: /^https?$/ }).describe("The server's MCP address."),
    tool: z.string().min(1).describe("The tool's name."),
    arguments: anyObject.nullish().describe("What the tool asks for."),
  }),
  effect: true,
  credential: { types: ["http-bearer", "http-basic", "http-header"], required: false },
  output:
    "`{content, structured}`: the parts of the answer and its structured form, `null` where there is none.",
  example: {
    inputs: { url: "https://tools.example/mcp", tool: "search", arguments: { query: "{{ data.query }}" } },
  },
  async execute({ url, tool, arguments: toolArguments }, context) {
    // Loaded with the first node that needs it: most processes never do, and it is large.
    const { callMcpTool } = await import("../../upstream/mcp.ts");
    // Otherwise every node that waited for it would go on in the same turn.
    await context.giveWay(0.3);
    const { organizationId, credential, services, signal } = context;
    const result = await callMcpTool(services.http, {
      organizationId,
      url,
      tool,
      arguments: toolArguments ?? {},
      credential: toHttpCredential(credential),
      signal,
    });
    return { kind: "output", output: { ...result } };
  },
});
