// The plain HTTP server of those peers that bring none: JSON in, JSON out, "ready" when it listens.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export function serveJson(status, answer, stop) {
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.stringify(await answer(JSON.parse(await text(request))));
      response.writeHead(status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    })().catch((error) => response.writeHead(500, { "content-length": 0 }).end(String(error)));
  });
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
  process.once("SIGTERM", () => {
    server.closeAllConnections();
    void stop().finally(() => process.exit());
  });
}
