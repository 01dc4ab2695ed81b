import { createServer, type IncomingMessage, type Server } from "node:http";
import { NotGenuine, type ReceivedEvent, verifyEvent } from "./verify.ts";

const MAX_BODY_BYTES = 64 * 1024;

export interface ReceiverOptions {
  /** From `millrace events endpoints show`. */
  readonly secret: string;
  /** Called once for every event, however often it arrives. */
  readonly onEvent: (event: ReceivedEvent) => void | Promise<void>;
  /** Ids that were dealt with. A real receiver keeps them in its database, in the transaction of what it does. */
  readonly seen?: Set<string>;
}

/** A receiver of Millrace's events: it verifies, acts once on each, and answers quickly. */
export function createReceiver({ secret, onEvent, seen = new Set() }: ReceiverOptions): Server {
  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });

  async function receive(request: IncomingMessage): Promise<number> {
    if (request.method !== "POST") return 405;
    const body = await readBody(request);
    if (body === undefined) return 413;
    let event: ReceivedEvent;
    try {
      event = verifyEvent(secret, request.headers as Record<string, string | undefined>, body);
    } catch (error) {
      if (error instanceof NotGenuine) return 401;
      throw error;
    }
    // Delivered before: say so, and do nothing. Millrace promises at least once, this line makes it once.
    if (seen.has(event.id)) return 204;
    // An error answers 500, and the event comes again later.
    await onEvent(event);
    seen.add(event.id);
    return 204;
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}
