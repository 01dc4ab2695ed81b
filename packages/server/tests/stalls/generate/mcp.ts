import * as fc from "fast-check";
import type { Part } from "../bytes.ts";
import type { Recipe } from "../recipes.ts";
import { hostileScripts } from "./scripts.ts";
import { json, upstreamDeeds } from "./upstream-deeds.ts";
import { sizes, values } from "./values.ts";

const rpc = (result: Recipe): Part[] => ['{"jsonrpc":"2.0","id":$ID,"result":', json(result), "}"];
const initialized: Recipe = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "t", version: "1" },
};
const jsonHead =
  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nmcp-session-id: s\r\nconnection: close\r\n\r\n";
const streamHead =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nmcp-session-id: s\r\nconnection: close\r\n\r\n";
const mcpResults: fc.Arbitrary<Recipe> = fc.oneof(
  values.map((value) => ({ content: [{ type: "text", text: "a" }], structuredContent: { a: value } })),
  values.map((value) => ({ tools: value })),
  sizes.map((times) => ({
    tools: { $list: { name: "search", description: "", inputSchema: { type: "object" } }, times },
  })),
  sizes.map((times) => ({ content: { $list: { type: "text", text: "a" }, times } })),
);

/** Every connection has one answer: all methods get the same, with `initialize` among what it could be. */
export const mcpDeeds = upstreamDeeds(
  ["mcp"],
  hostileScripts(
    fc
      .record({
        result: fc.oneof(fc.constant(initialized), mcpResults),
        streamed: fc.boolean(),
        before: fc.tuple(
          fc.constantFrom("data: {}\n\n", ": \n", "event: ping\ndata: 1\n\n", "data: a\n", "\n", "id: 1\n"),
          fc.constantFrom(0, 10, 10_000, 300_000),
        ),
      })
      .map(({ result, streamed, before: [repeat, times] }) => ({
        replies: [
          streamed
            ? [
                streamHead,
                { repeat, times },
                "data: ",
                ...rpc({ ...(initialized as object), ...(result as object) } as Recipe),
                "\n\n",
              ]
            : [jsonHead, ...rpc({ ...(initialized as object), ...(result as object) } as Recipe)],
        ],
      })),
  ),
);
