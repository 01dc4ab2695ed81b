// Opens a stream for each run of a StreamPlan from stdin, prints "open" once all are connected, and when told to end
// (SIGTERM) prints how long after `updatedAt` each later update arrived.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { formatRequest } from "./support/http-connection.ts";
import type { StreamPlan } from "./support/stream-readers.ts";

const { port, key, runIds } = JSON.parse(await text(process.stdin)) as StreamPlan;
const delaysMs: number[] = [];
const OPENED_AT_ONCE = 50;

for (let from = 0; from < runIds.length; from += OPENED_AT_ONCE) {
  await Promise.all(runIds.slice(from, from + OPENED_AT_ONCE).map(open));
}
console.log("open");
process.once("SIGTERM", () => {
  console.log(JSON.stringify(delaysMs));
  process.exit();
});

/** Resolves with the first update, which says how the run is now; the others are changes. */
function open(runId: string): Promise<void> {
  const path = `/api/runs/${runId}/stream`;
  const headers = { authorization: `Bearer ${key}` };
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(formatRequest({ method: "GET", path, headers }));
  return new Promise((resolve, reject) => {
    let connected = false;
    socket.on("data", (chunk) => {
      const receivedAtMs = performance.timeOrigin + performance.now();
      const received = chunk.toString("latin1");
      if (!connected && !received.startsWith("HTTP/1.1 200")) reject(new Error(received));
      for (const [, updatedAt] of received.matchAll(/"updatedAt":"([^"]+)"/g)) {
        if (connected) delaysMs.push(receivedAtMs - Date.parse(updatedAt!));
        connected = true;
        resolve();
      }
    });
    socket.on("error", reject);
  });
}
