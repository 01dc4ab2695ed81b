import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import type { GuardedHttpError, GuardedRequest } from "../../src/upstream/guarded-http/guarded-http.ts";

/*
 * No test leaves loopback: 127.0.0.2 is opened and plays the public internet, 127.0.0.1 is not and plays everything
 * private. Names are answered by a table.
 */
const publicAddress = "127.0.0.2";
export const privateAddress = "127.0.0.1";

export type Names = Record<string, readonly string[] | (() => readonly string[])>;

export function testGuard(names: Names = {}, allow: readonly string[] = [`${publicAddress}/32`]) {
  return createAddressGuard({
    allow,
    resolve: (name) => {
      const answer = names[name];
      if (answer === undefined) return Promise.reject(new Error("not found"));
      return Promise.resolve(typeof answer === "function" ? answer() : answer);
    },
  });
}

export function testHttp(names: Names = {}, limits: { connectMs?: number; headersMs?: number } = {}) {
  return createGuardedHttp({ guard: testGuard(names), ...limits });
}

export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Connections ever accepted, and those open now. */
  accepted(): number;
  open(): number;
  close(): Promise<void>;
}

/** A raw server: `answer` gets the socket after the first bytes of a request. */
export function listenRaw(answer: (socket: Socket) => void, address = publicAddress): Promise<Listener> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  return started(server, address);
}

type Handler = (...parameters: Parameters<RequestListener>) => unknown;

export function listenHttp(handler: Handler, address = publicAddress): Promise<Listener> {
  return started(
    createServer((request, response) => void handler(request, response)),
    address,
  );
}

async function started(server: Server, address: string): Promise<Listener> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${address}:${port}`,
    accepted: () => accepted,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers by path and remembers what was asked. */
export async function listenScript(
  script: Record<string, { status: number; headers?: Record<string, string>; body?: string }>,
  address = publicAddress,
): Promise<Listener & { readonly seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const listener = await listenHttp(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "", url: path = "", headers } = request;
    seen.push({ method, path, headers, body });
    const answer = script[path] ?? { status: 404 };
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }, address);
  return { ...listener, seen };
}

export function get(url: string, fields: Partial<GuardedRequest> = {}): GuardedRequest {
  return { organizationId: "org_a", url, ...fields };
}

export async function failureOf(call: Promise<unknown>): Promise<GuardedHttpError> {
  return call.then(
    () => {
      throw new Error("expected a failure");
    },
    (error: unknown) => error as GuardedHttpError,
  );
}
