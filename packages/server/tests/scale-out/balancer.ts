import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { type LoopbackServer, readText, startLoopbackServer } from "../support/loopback-server.ts";

/** As small as a balancer can be: in turn, and on to the next one where a connection is refused or lost unanswered. */
export async function startBalancer(addresses: readonly string[]): Promise<LoopbackServer> {
  let turn = 0;
  return startLoopbackServer(async (incoming, response) => {
    const body = await readText(incoming);
    const first = turn++;
    for (let at = 0; at < addresses.length; at++) {
      const address = addresses[(first + at) % addresses.length]!;
      if (await passOn(address, incoming, body, response)) return;
    }
    response.writeHead(502).end();
  });
}

/** False where no answer came. */
function passOn(
  address: string,
  { method, url, headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request(address + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      resolve(true);
    });
    outgoing.on("error", () => resolve(false));
    outgoing.end(body);
  });
}
