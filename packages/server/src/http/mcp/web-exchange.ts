import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../route.ts";
import type { EventStreams } from "../sse.ts";

const FORWARDED = [
  "content-type",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
] as const;

/** The request as the library reads it: no key or cookie in it, and its body was read before. */
export function toWebRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const forwarded = FORWARDED.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const parameters = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name.startsWith("mcp-param-") && typeof value === "string" ? [[name, value]] : [],
  );
  // The library insists on both; whether a stream is sent is decided here.
  forwarded.push(["accept", "application/json, text/event-stream"]);
  return new Request("http://localhost/mcp", { method, headers: [...forwarded, ...parameters], signal });
}

/** Sends what the library answers: a text at once, a stream as it comes. */
export async function sendWebResponse(
  response: Response,
  reply: FastifyReply,
  streams: EventStreams,
): Promise<Answer | undefined> {
  const type = response.headers.get("content-type") ?? undefined;
  if (!response.body || !type?.startsWith("text/event-stream")) {
    const text = await response.text();
    return {
      status: response.status,
      ...(type !== undefined && { headers: { "content-type": type } }),
      ...(text !== "" && { body: text }),
    };
  }
  const reader = response.body.getReader();
  const stream = streams.open(reply);
  stream.onClose(() => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await stream.room();
      stream.send(decoder.decode(part.value, { stream: true }));
    }
  } catch {
    // The call was broken off; whoever still reads may come back.
  }
  stream.end();
  return undefined;
}
