import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { ReceivedEvent } from "../../../../examples/receiver/verify.ts";
import { readText } from "../support/loopback-server.ts";
import { close, listen } from "./delivery.ts";

interface Arrival {
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ReceivedEvent;
}

type Answering = (arrival: Arrival, response: ServerResponse) => void;

export interface Recorder {
  readonly url: string;
  readonly server: Server;
  readonly arrivals: Arrival[];
  types(): string[];
  close(): Promise<void>;
}

/** A receiver that keeps everything that arrives and answers as told. */
export async function startRecorder(
  answer: Answering = (_, response) => response.writeHead(204).end(),
  options: { port?: number; address?: string } = {},
): Promise<Recorder> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const event = JSON.parse(body) as ReceivedEvent;
      const arrival = { atMs: performance.now(), headers: request.headers, body, event };
      arrivals.push(arrival);
      answer(arrival, response);
    });
  });
  const url = await listen(server, options.port, options.address);
  return {
    url,
    server,
    arrivals,
    types: () => arrivals.map(({ event }) => event.type),
    close: () => close(server),
  };
}
