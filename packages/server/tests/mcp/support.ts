import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "mcp-sdk-2025-03/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "mcp-sdk-2025-03/client/streamableHttp.js";
import { Client as SecondClient } from "mcp-sdk-2025-11/client/index.js";
import { StreamableHTTPClientTransport as SecondTransport } from "mcp-sdk-2025-11/client/streamableHttp.js";
import { ElicitRequestSchema } from "mcp-sdk-2025-11/types.js";
import type { TestAnswer, TestService } from "../support/service.ts";

export interface Asked {
  readonly message: string;
  readonly requestedSchema?: { readonly properties: Record<string, unknown> };
}

export interface Answer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean>;
}

export interface ToolResult {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
}

/** What the tests do with a client, whatever its generation. */
interface McpClient {
  list(cursor?: string): Promise<{ tools: ListedTool[]; nextCursor?: string }>;
  call(
    name: string,
    given?: Record<string, unknown>,
    options?: { onprogress?: (progress: { message?: string }) => void; signal?: AbortSignal },
  ): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  readonly key: string;
  /** Left out: the client cannot ask anybody. */
  readonly ask?: (asked: Asked) => Answer | Promise<Answer>;
}

const info = { name: "test", version: "1.0.0" };
/** As long as a crowded machine may take. */
const TIMEOUT_MS = 60_000;

type Generation = (options: ConnectOptions) => Promise<McpClient>;

/** Revision 2025-03-26: the first over Streamable HTTP, without questions. */
const first: Generation = async ({ url, key }) => {
  const client = new FirstClient(info);
  await client.connect(new FirstTransport(new URL(`${url}/mcp`), init(key)) as never);
  return {
    list: (cursor) => client.listTools({ cursor }) as never,
    call: (name, given, options) =>
      client.callTool({ name, arguments: given }, undefined, {
        timeout: TIMEOUT_MS,
        ...(options as object),
      }) as never,
    close: () => client.close(),
  };
};

/** Revision 2025-11-25: sessions, questions beside a call, streams that are resumed. */
const second: Generation = async ({ url, key, ask }) => {
  const client = new SecondClient(info, { capabilities: ask ? { elicitation: {} } : {} });
  if (ask)
    client.setRequestHandler(
      ElicitRequestSchema,
      async ({ params }) => (await ask(params as Asked)) as never,
    );
  await client.connect(new SecondTransport(new URL(`${url}/mcp`), init(key)) as never);
  return {
    list: (cursor) => client.listTools({ cursor }) as never,
    call: (name, given, options) =>
      client.callTool({ name, arguments: given }, undefined, {
        timeout: TIMEOUT_MS,
        ...(options as object),
      }) as never,
    close: () => client.close(),
  };
};

/** Revision 2026-07-28: every request for itself, questions as a round of the call. */
const third: Generation = async ({ url, key, ask }) => {
  const client = newClient(ask);
  await client.connect(new NewTransport(new URL(`${url}/mcp`), init(key)));
  return {
    list: (cursor) => client.listTools({ ...(cursor !== undefined && { cursor }) }) as never,
    call: (name, given, options) =>
      client.callTool(
        { name, arguments: given ?? {} },
        { timeout: TIMEOUT_MS, ...(options as object) },
      ) as never,
    close: () => client.close(),
  };
};

export function newClient(ask?: ConnectOptions["ask"]): NewClient {
  const client = new NewClient(info, {
    capabilities: ask ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  if (ask)
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => (await ask(params as never)) as never,
    );
  return client;
}

export const generations: readonly [name: string, connect: Generation, asks: boolean][] = [
  ["2025-03-26", first, false],
  ["2025-11-25", second, true],
  ["2026-07-28", third, true],
];
export const [connectFirst, connectSecond, connectThird] = [first, second, third];

export function init(key: string) {
  return { requestInit: { headers: { authorization: `Bearer ${key}` } } };
}

export const rpcHeaders = { accept: "application/json, text/event-stream" };

/** A message as an older client posts it. */
export function post(
  service: TestService,
  key: string | undefined,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return service.send("POST", "/mcp", {
    ...(key !== undefined && { key }),
    body,
    headers: { ...rpcHeaders, ...headers },
  });
}

/** The JSON-RPC answer in a stream, or in a body. */
export function answerIn({ body }: TestAnswer): {
  result: ToolResult;
  error?: { code: number; message: string };
} {
  if (typeof body !== "string") return body;
  const lines = body.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(lines.at(-1)!.slice(6));
}
