import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "./loopback-server.ts";
import { node, type TestNode } from "./runs-flows.ts";
import { until } from "./runs-until.ts";

/** An address that holds its callers until a test lets them go: a node that takes as long as one likes. */
export interface Gate {
  readonly url: string;
  /** Requests that have arrived, by path. */
  readonly arrived: readonly string[];
  /** Paths of requests whose connection was closed before they were answered. */
  readonly dropped: readonly string[];
  node(id: string, path?: string): TestNode;
  untilArrived(count: number, withinMs?: number): Promise<void>;
  /** Answers all that are held and, from now on, everybody at once. */
  open(): void;
  /** Answers those that are held, or those of one path. */
  letGo(status?: number, path?: string): void;
  close(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
  const arrived: string[] = [];
  const dropped: string[] = [];
  const held = new Map<ServerResponse, string>();
  let isOpen = false;
  const server = await startLoopbackServer((request: IncomingMessage, response) => {
    const path = request.url ?? "";
    arrived.push(path);
    if (isOpen) return answer(response, 200);
    held.set(response, path);
    response.on("close", () => {
      if (held.delete(response)) dropped.push(path);
    });
  });
  const letGo = (status = 200, path?: string) => {
    for (const [response, of] of held) {
      if (path !== undefined && of !== path) continue;
      held.delete(response);
      answer(response, status);
    }
  };
  return {
    url: server.url,
    arrived,
    dropped,
    node: (id, path = `/${id}`) => node(id, "http-request", { url: `${server.url}${path}`, expect: "2xx" }),
    untilArrived: async (count, withinMs) => {
      await until(`${count} requests have arrived`, () => arrived.length >= count, withinMs);
    },
    open: () => {
      isOpen = true;
      letGo();
    },
    letGo,
    close: async () => {
      letGo();
      await server.close();
    },
  };
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ status }));
}
