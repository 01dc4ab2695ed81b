// A model server with a steady pace, in a process of its own. Arguments: tokens a second, milliseconds to the first token.
// A message is `<tokens>`; each token of the reply is the time at which it was sent, the first one also when it was asked for.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { monotonicMs } from "./support/monotonic.ts";

const [rate, firstTokenMs] = process.argv.slice(2).map(Number) as [number, number];
const TICK_MS = 2;

interface Reply {
  readonly response: ServerResponse;
  readonly askedAtMs: number;
  readonly tokens: number;
  sent: number;
}

const replies = new Set<Reply>();

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const { messages } = JSON.parse(body) as { messages: { content: string }[] };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const reply = { response, askedAtMs: monotonicMs(), tokens: Number(messages.at(-1)!.content), sent: 0 };
    replies.add(reply);
    response.on("close", () => replies.delete(reply));
  });
});

// One timer for all replies: hundreds of timers would be what is measured.
setInterval(() => {
  const nowMs = monotonicMs();
  for (const reply of replies) {
    const dueAtMs = reply.askedAtMs + firstTokenMs + (reply.sent * 1000) / rate;
    if (nowMs >= dueAtMs) sendToken(reply);
  }
}, TICK_MS);

function sendToken(reply: Reply): void {
  const first = reply.sent === 0 ? `${reply.askedAtMs.toFixed(2)}:` : "";
  reply.sent += 1;
  const last = reply.sent === reply.tokens;
  const text = chunk(`{"role":"assistant","content":"${first}${monotonicMs().toFixed(2)} "}`, "null");
  if (!last) return void reply.response.write(text);
  replies.delete(reply);
  reply.response.end(`${text}${chunk("{}", '"stop"')}data: [DONE]\n\n`);
}

function chunk(delta: string, finishReason: string): string {
  return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finishReason}}]}\n\n`;
}

server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
