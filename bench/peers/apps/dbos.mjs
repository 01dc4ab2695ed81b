// A DBOS workflow of three steps behind a plain HTTP server; the answer is the workflow's result.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { serveJson } from "./serve-json.mjs";

const { DATABASE_URL, POOL_SIZE } = process.env;

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

serveJson(
  200,
  ({ name }) => workflow(name),
  () => DBOS.shutdown(),
);
