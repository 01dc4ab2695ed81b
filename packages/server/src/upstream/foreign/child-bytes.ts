import type { Socket } from "node:net";

/**
 * Ends the connection once the server has sent more than that, before a parser has gathered it. Called before anybody
 * else listens: listeners are called in the order in which they were added.
 */
export function limitBytes(stream: Socket, maxBytes: number, onExceeded: () => void): void {
  let receivedBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    receivedBytes += chunk.length;
    if (receivedBytes <= maxBytes) return;
    onExceeded();
    stream.destroy();
  });
}
