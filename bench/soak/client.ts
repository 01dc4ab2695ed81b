import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";

const MAX_SOCKETS = 256;
const MAX_MS = 60_000;

/** A path without its ids, so that failures of one kind are counted together. */
function kindOf(path: string): string {
  return path
    .split("?")[0]!
    .split("/")
    .map((part) => (/^[a-z]+_/.test(part) || part.length > 20 ? "…" : part))
    .join("/");
}

/** Requests over kept connections; whatever is not answered as it should be is an error. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #port: number;
  readonly #key: string;

  constructor(port: number, key: string) {
    this.#port = port;
    this.#key = key;
  }

  async json<Data>(method: string, path: string, body?: object): Promise<Data> {
    const { data } = JSON.parse(await this.#text(method, path, "application/json", body)) as { data: Data };
    return data;
  }

  /** Reads a stream to its end. */
  async stream(method: string, path: string, body?: object): Promise<void> {
    await this.#text(method, path, "text/event-stream", body);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #text(method: string, path: string, accept: string, body?: object): Promise<string> {
    const request = httpRequest({
      port: this.#port,
      agent: this.#agent,
      host: "127.0.0.1",
      method,
      path,
      signal: AbortSignal.timeout(MAX_MS),
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept,
        ...(body && { "content-type": "application/json" }),
      },
    });
    request.end(body && JSON.stringify(body));
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    const received = await text(answer);
    if (answer.statusCode! >= 300) {
      const { code } = JSON.parse(received) as { code?: string };
      throw new Error(`${method} ${kindOf(path)}: ${answer.statusCode} ${code ?? ""}`.trim());
    }
    return received;
  }
}
