import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { Arena, Round } from "../arena/arena.ts";

const REQUESTS = 2_000;

/** Requests that never come to their end, from somebody without a key, are all late at once. */
export async function lateRequestsAreAnswered(_arena: Arena, { service }: Round): Promise<string[]> {
  const { hostname, port } = new URL(service.address);
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, () => {
      const socket = connect(Number(port), hostname);
      socket.write("GET /health HTTP/1.1\r\nhost: x\r\n");
      return text(socket).catch(String);
    }),
  );
  const wrong = answers.find((answer) => !answer.startsWith("HTTP/1.1 408 "));
  return wrong === undefined ? [] : [`a request that was late got ${wrong.slice(0, 200)}`];
}
