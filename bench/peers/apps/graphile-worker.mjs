// A job with the same three steps in plain code: the HTTP handler adds it, a worker in the same process does it.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { serveJson } from "./serve-json.mjs";

const { DATABASE_URL, POOL_SIZE } = process.env;
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

serveJson(
  202,
  async (payload) => ({ id: (await utils.addJob("greet", payload)).id }),
  () => runner.stop().then(() => utils.release()),
);
