// Triggers runs through a proxy that breaks connections in every way: no trigger may start two runs, or be lost.
//   npm run client-faults -- [--triggers 10000] [--seed 1] [--client python]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { triggerStorm } from "../packages/client/tests/support/trigger-storm.ts";
import { hello } from "../packages/server/tests/support/runs-flows.ts";
import { addFlow, addKey, addOrganization, addUser } from "../packages/server/tests/support/workspace.ts";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { Processes } from "../packages/server/tests/torture/service/processes.ts";

const MAX_WAIT_MS = 120_000;

const { values } = parseArgs({
  options: {
    triggers: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    client: { type: "string", default: "typescript" },
  },
});
const triggers = Number(values.triggers);
const client = values.client === "python" ? "python" : "typescript";
const database = await startOwnDatabase();
const pool = new Pool({ ...database.connection, max: 4 }).on("error", () => {});
const processes = new Processes(pool, database.connection);
try {
  await addOrganization(pool, "org_storm", { concurrency: 100, queue: triggers + 1_000 });
  await addUser(pool, "sue", { org_storm: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_storm", userId: "sue" });
  await addFlow(pool, "org_storm", "flow_hello", { graph: hello });
  const target = await processes.start();
  const startedAt = performance.now();
  const storm = await triggerStorm({
    target,
    apiKey: key,
    flowId: "flow_hello",
    triggers,
    client,
    seed: Number(values.seed),
  });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const [{ runs, numbers, ended }] = await untilEnded();
  console.log(
    JSON.stringify(
      { triggers, seconds, ...storm, runIds: new Set(storm.runIds).size, runs, numbers, ended },
      null,
      2,
    ),
  );
  // What the client has given up on may still have been started, once.
  const isRight =
    runs === numbers && ended === runs && runs >= storm.started && storm.started + storm.givenUp === triggers;
  if (!isRight || new Set(storm.runIds).size !== storm.started) {
    console.error("✗ a trigger was executed twice, or lost");
    process.exitCode = 1;
  } else console.log(`✓ ${runs} runs for ${triggers} triggers, none twice`);
} finally {
  await processes.stop();
  await pool.end();
  await database.stop();
}

async function untilEnded() {
  const endMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { rows } = await pool.query<{ runs: number; numbers: number; ended: number }>(
      `SELECT count(*)::int AS runs, count(DISTINCT p.data ->> 'n')::int AS numbers,
              (count(*) FILTER (WHERE r.status = 'COMPLETED'))::int AS ended
         FROM runs r JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id`,
    );
    if (rows[0]!.ended === rows[0]!.runs || performance.now() > endMs) return rows as [(typeof rows)[0]];
    await sleep(500);
  }
}
