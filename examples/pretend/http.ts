import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Pretends to be a payment provider (`POST /charges`) and a model provider (`POST /v1/chat/completions`). */
export function createPretendHttp(onCharge: (charge: Charge) => void = () => {}): Server {
  const charges = new Map<string, Charge>();
  return createServer((request, response) => {
    void answer(request, response, charges, onCharge).catch(() => response.destroy());
  });
}

export interface Charge {
  readonly id: string;
  readonly amount: number;
  readonly customer: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  charges: Map<string, Charge>,
  onCharge: (charge: Charge) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, unknown>;
  if (request.url === "/charges") return charge(String(request.headers["idempotency-key"]), body);
  if (request.url === "/v1/chat/completions") return reply(response, body as unknown as ChatRequest);
  response.writeHead(404).end();

  /** The same key charges once, however often it is asked: what makes an at-least-once call exactly once. */
  function charge(key: string, { amount, customer }: Record<string, unknown>): void {
    if (customer === "broke@example.com") return send(402, { error: "The card was declined." });
    const known = charges.get(key);
    const made = known ?? {
      id: `ch_${charges.size + 1}`,
      amount: Number(amount),
      customer: String(customer),
    };
    charges.set(key, made);
    if (!known) onCharge(made);
    send(201, made);
  }

  function send(status: number, value: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Calls its first tool with the last word that it was told, and says what the tool has answered. */
function reply(response: ServerResponse, { messages, tools }: ChatRequest): void {
  const { role, content } = messages.at(-1)!;
  const tool = role === "tool" ? undefined : tools?.[0]?.function.name;
  const sku = String(content).replaceAll(/[?.!]/g, "").split(" ").at(-1);
  const call = { name: tool, arguments: JSON.stringify({ sku }) };
  const delta = tool
    ? { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }
    : { role: "assistant", content: `I looked it up: ${String(content)}` };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (choice: object) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  send({ delta, finish_reason: null });
  send({ delta: {}, finish_reason: tool ? "tool_calls" : "stop" });
  response.end("data: [DONE]\n\n");
}
