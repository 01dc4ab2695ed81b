// Forks runs at random nodes and counts effects at a receiver: none may be repeated, values must be byte-equal, the ledger must balance.
//   npm run forks -- [--forks 500] [--at-once 8] [--seed 1] [--kill]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { withPrefix } from "../packages/server/src/domain/ids.ts";
import { isTerminal } from "../packages/server/src/domain/run-status.ts";
import { checkForks, forkStorm, startStormReceiver } from "../packages/server/tests/fork/storm.ts";
import { stormFlows } from "../packages/server/tests/fork/storm-flow.ts";
import { addFlow, addKey, addOrganization, addUser } from "../packages/server/tests/support/workspace.ts";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { apiOf } from "../packages/server/tests/torture/service/api.ts";
import { startKilling } from "../packages/server/tests/torture/service/killing.ts";
import { Processes } from "../packages/server/tests/torture/service/processes.ts";

const MAX_RUN_MS = 240_000;
const LOOK_MS = 50;

const { values } = parseArgs({
  options: {
    forks: { type: "string", default: "500" },
    "at-once": { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    /** kill -9 workers all the while: what was under way then may be repeated, and nothing else. */
    kill: { type: "boolean", default: false },
  },
});

const database = await startOwnDatabase();
const pool = new Pool({ ...database.connection, max: 4 }).on("error", () => {});
const receiver = await startStormReceiver();
const processes = new Processes(pool, database.connection);
const startedMs = performance.now();
try {
  await addOrganization(pool, "org_fork", { concurrency: 100, queue: 10_000 });
  await addUser(pool, "fritz", { org_fork: "owner" });
  await pool.query(`UPDATE organizations SET credits_limited = true`);
  await pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_fork', 'opening', 'opening', 100000000)`,
  );
  const { key } = await addKey(pool, { organizationId: "org_fork", userId: "fritz" });
  for (const [id, graph] of Object.entries(stormFlows(receiver.url)))
    await addFlow(pool, "org_fork", id, { graph });
  const api = apiOf(await processes.start());
  const killing = values.kill ? startKilling(processes, Number(values.seed)) : undefined;

  const start = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await api("POST", path, key, body);
    if (status > 202) throw new Error(`${path} was answered ${status} ${JSON.stringify(answer)}`);
    return answer.data.id ?? withPrefix(answer.data.queueId, "run");
  };
  const faults = await forkStorm({
    receiver,
    forks: Number(values.forks),
    atOnce: Number(values["at-once"]),
    random: generator(Number(values.seed)),
    mayRepeat: values.kill,
    service: {
      begin: (flowId, body) => {
        const { payload } = body as { payload: object };
        return start("/api/runs", { ...body, payload: { ...payload, flowId } });
      },
      fork: (runId, body) => start(`/api/runs/${runId}/fork`, body),
      untilEnd: async (runId) => {
        const deadlineMs = performance.now() + MAX_RUN_MS;
        while (performance.now() < deadlineMs) {
          const { rows } = await pool.query(`SELECT status FROM runs WHERE id = $1`, [runId]);
          if (isTerminal(rows[0].status)) return rows[0].status;
          await sleep(LOOK_MS);
        }
        return "still under way";
      },
      db: pool,
    },
  });
  await killing?.stop();
  faults.push(...(await checkForks(pool)));
  const { rows } = await pool.query(`SELECT count(*) AS forks FROM run_forks`);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(
    `${values.forks} forks, ${rows[0].forks} with those of sub-flows, in ${seconds} s; ${processes.kills} kills`,
  );
  for (const fault of faults) console.log(fault);
  console.log(faults.length === 0 ? "No effect was repeated." : `${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await processes.stop();
  await receiver.close();
  await pool.end();
  await database.stop();
}

/** The same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed + 20_260_101;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
