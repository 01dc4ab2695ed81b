import { parseForeignJson } from "../domain/json.ts";
import type { GuardedHttp, HttpCredential } from "./guarded-http/guarded-http.ts";
import { LineReader } from "./line-reader.ts";
import { UpstreamError } from "./upstream-error.ts";

const maxBytes = 5_000_000;
const maxEvents = 1_000;
/** A field of an event a line; the library copies and checks each value several times. */
const maxLines = 10_000;
const maxValues = 50_000;
const maxBatch = 100;
const farewellMs = 5_000;

interface FetchFields {
  readonly organizationId: string;
  readonly credential?: HttpCredential;
}

/**
 * The guarded fetch for the MCP library, which reads whatever a server sends and waits for ever for an answer that does
 * not come. What reaches it was read here first: within limits, and the answer alone. Questions of the server (it may
 * ask for nothing that we offer), progress and logs are passed over.
 */
export function mcpFetch(http: GuardedHttp, fields: FetchFields): typeof fetch {
  const ask = http.fetchFor({ ...fields, maxBytes });
  const sayGoodbye = http.fetchFor({ ...fields, maxBytes, totalMs: farewellMs });
  return async (input, init) => {
    // Messages of the server's own accord are of no use to a single call.
    if (init?.method === "GET") return new Response(null, { status: 405 });
    if (init?.method === "DELETE") return sayGoodbye(input, init);
    const response = await ask(input, init);
    const id = requestId(init?.body);
    if (!response.ok || id === undefined) return bounded(response, await response.text());
    return bounded(response, JSON.stringify({ ...(await answerIn(response, id)), id }));
  };
}

/** Always as JSON: what came as events was taken from them. */
function bounded(response: Response, text: string): Response {
  const headers = new Headers(response.headers);
  if (response.ok) headers.set("content-type", "application/json");
  const { status } = response;
  const bodiless = status === 204 || status === 205 || status === 304;
  return new Response(bodiless ? null : text, { status, headers });
}

function requestId(body: RequestInit["body"]): unknown {
  if (typeof body !== "string") return undefined;
  return (JSON.parse(body) as { id?: unknown }).id;
}

async function answerIn(response: Response, id: unknown): Promise<object> {
  const isStream = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const messages = isStream ? eventMessages(response) : wholeMessages(response);
  for await (const message of messages) if (isAnswerTo(message, id)) return message;
  throw failed("The tool server did not answer the call.");
}

function isAnswerTo(message: unknown, id: unknown): message is object {
  if (typeof message !== "object" || message === null || !("id" in message)) return false;
  // An error of a request that the server could not read has no id.
  if ("error" in message) return message.id === id || message.id === null;
  return message.id === id && "result" in message;
}

async function* wholeMessages(response: Response): AsyncGenerator {
  const message = readMessage(await response.text());
  if (!Array.isArray(message)) yield message;
  else if (message.length > maxBatch) throw tooMuch();
  else yield* message;
}

async function* eventMessages(response: Response): AsyncGenerator {
  const lines = new LineReader({ maxLineBytes: maxBytes, maxLines, onExceeded: tooMuch });
  let data: string[] = [];
  let events = 0;
  const messageOf = (line: string): unknown => {
    if (line.startsWith("data:")) data.push(line.slice(5));
    if (line !== "" || data.length === 0) return undefined;
    if ((events += 1) > maxEvents) throw tooMuch();
    const text = data.join("\n");
    data = [];
    return readMessage(text);
  };
  for await (const bytes of response.body ?? []) {
    for (const line of lines.push(bytes)) {
      const message = messageOf(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (message !== undefined) yield message;
    }
  }
}

function readMessage(text: string): unknown {
  try {
    return parseForeignJson(text, { maxValues });
  } catch {
    throw tooMuch();
  }
}

function tooMuch(): UpstreamError {
  return failed("The tool server sent more than can be taken in, or something that is not JSON.");
}

function failed(message: string): UpstreamError {
  return new UpstreamError("ToolServerFailed", message);
}
