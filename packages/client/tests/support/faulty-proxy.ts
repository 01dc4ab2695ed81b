import { once } from "node:events";
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `cut-before`: the service never sees the request. `cut-after`: it has done all of it, and nobody hears so. `cut-body`: its answer
 * breaks off in the middle. `slow-body`: its answer stops in the middle and stays open. `429`, `503`: refused, never forwarded.
 * `500-after`: done, and the answer is lost behind a 500.
 */
export const faults = [
  "cut-before",
  "cut-after",
  "cut-body",
  "slow-body",
  "429",
  "503",
  "500-after",
] as const;
export type Fault = (typeof faults)[number];

export interface FaultyProxy {
  readonly url: string;
  /** How often each fault was made. */
  readonly made: Record<string, number>;
  close(): Promise<void>;
}

interface Seen {
  readonly method: string;
  readonly path: string;
}

/** Stands in front of a real service and does to each request what `choose` says; event streams too. */
export async function startFaultyProxy(
  target: string,
  choose: (seen: Seen) => Fault | undefined,
  onStream: (response: ServerResponse, piece: string) => void = (response, piece) =>
    void response.write(piece),
): Promise<FaultyProxy> {
  const made: Record<string, number> = {};
  const server = createServer((request, response) => {
    const fault = choose({ method: request.method!, path: request.url! });
    if (fault) made[fault] = (made[fault] ?? 0) + 1;
    handle(target, fault, request, response, onStream).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function handle(
  target: string,
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  onStream: (response: ServerResponse, piece: string) => void,
): Promise<void> {
  const body = await bytesOf(request);
  if (fault === "cut-before") return void response.destroy();
  if (fault === "429" || fault === "503") {
    const text = JSON.stringify(
      fault === "429"
        ? { error: "Too many requests" }
        : { success: false, error: "Service unavailable", code: "service_unavailable" },
    );
    return void response
      .writeHead(Number(fault), { "retry-after": "0", "content-type": "application/json" })
      .end(text);
  }
  const forwarded = send(target + request.url!, { method: request.method!, headers: request.headers });
  forwarded.end(body);
  const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
  if (String(answer.headers["content-type"]).startsWith("text/event-stream")) {
    response.writeHead(answer.statusCode!, answer.headers);
    response.on("close", () => answer.destroy());
    answer.setEncoding("utf8").on("error", () => response.destroy());
    for await (const piece of answer) onStream(response, piece as string);
    return void response.end();
  }
  const whole = await bytesOf(answer);
  if (fault === "cut-after") return void response.destroy();
  if (fault === "500-after") return void response.writeHead(500).end("<html>");
  response.writeHead(answer.statusCode!, answer.headers);
  if (fault === undefined) return void response.end(whole);
  await new Promise((resolve) => response.write(whole.subarray(0, whole.length / 2), resolve));
  if (fault === "cut-body") response.destroy();
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
