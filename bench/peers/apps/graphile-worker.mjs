// A job with the same three steps in plain code: the HTTP handler adds it, a worker in the same process does it.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Logger, makeWorkerUtils, run } from "graphile-worker";

const { PORT, DATABASE_URL, POOL_SIZE } = process.env;
const logger = new Logger(() => (level, message) => {
  if (level === "error") console.error(message);
});

function greet({ name }) {
  const greeting = { text: `Hello ${name}` };
  const loud = { text: greeting.text.toUpperCase() };
  return { text: loud.text, length: loud.text.length };
}

const utils = await makeWorkerUtils({ connectionString: DATABASE_URL, maxPoolSize: POOL_SIZE / 2, logger });
await utils.migrate();
const runner = await run({
  logger,
  noHandleSignals: true,
  taskList: { greet },
  preset: {
    worker: {
      connectionString: DATABASE_URL,
      maxPoolSize: POOL_SIZE / 2,
      concurrentJobs: 24,
      // Its own settings for throughput: jobs are fetched and completed in batches.
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
});

const server = createServer((request, response) => {
  void (async () => {
    const job = await utils.addJob("greet", JSON.parse(await text(request)));
    const answer = JSON.stringify({ id: job.id });
    response.writeHead(202, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(answer),
    });
    response.end(answer);
  })().catch((error) => response.writeHead(500, { "content-length": 0 }).end(String(error)));
});
server.listen(Number(PORT), "127.0.0.1", () => console.log("ready"));
process.once("SIGTERM", () => {
  server.closeAllConnections();
  void runner
    .stop()
    .then(() => utils.release())
    .finally(() => process.exit());
});
