// A DBOS workflow of three steps behind a plain HTTP server; the answer is the workflow's result.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { DBOS } from "@dbos-inc/dbos-sdk";

const { PORT, DATABASE_URL, POOL_SIZE } = process.env;

async function greet(name) {
  const greeting = await DBOS.runStep(async () => ({ text: `Hello ${name}` }), { name: "greet" });
  const loud = await DBOS.runStep(async () => ({ text: greeting.text.toUpperCase() }), { name: "loud" });
  return DBOS.runStep(async () => ({ text: loud.text, length: loud.text.length }), { name: "done" });
}
const workflow = DBOS.registerWorkflow(greet, { name: "greet" });

DBOS.setConfig({
  name: "peer",
  systemDatabaseUrl: DATABASE_URL,
  systemDatabasePoolSize: Number(POOL_SIZE),
  logLevel: "warn",
});
await DBOS.launch();

const server = createServer((request, response) => {
  void (async () => {
    const { name } = JSON.parse(await text(request));
    const answer = JSON.stringify(await workflow(name));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(answer),
    });
    response.end(answer);
  })().catch((error) => response.writeHead(500, { "content-length": 0 }).end(String(error)));
});
server.listen(Number(PORT), "127.0.0.1", () => console.log("ready"));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  void DBOS.shutdown().finally(() => process.exit());
});
