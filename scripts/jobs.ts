// Cancels and retries many runs by jobs, which are stopped, resumed and lose their workers: nothing is done twice or left out.
//   npm run jobs -- [--runs 10000] [--kill-every 10]
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { IdMaker } from "../packages/server/src/domain/ids.ts";
import { startStormReceiver } from "../packages/server/tests/fork/storm.ts";
import { chain, node } from "../packages/server/tests/support/runs-flows.ts";
import { addFlow, addKey, addOrganization, addUser } from "../packages/server/tests/support/workspace.ts";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { apiOf } from "../packages/server/tests/torture/service/api.ts";
import { Processes } from "../packages/server/tests/torture/service/processes.ts";

const MAX_MS = 600_000;
const LOOK_MS = 1_000;
const TRIGGERS_AT_ONCE = 50;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    /** Seconds between two workers that are killed -9; 0: none is. */
    "kill-every": { type: "string", default: "10" },
  },
});
const count = Number(values.runs);
const faults: string[] = [];
const expect = (isTrue: boolean, fault: string) => {
  if (!isTrue) faults.push(fault);
};

const database = await startOwnDatabase();
const pool = new Pool({ ...database.connection, max: 4 }).on("error", () => {});
const receiver = await startStormReceiver();
const processes = new Processes(pool, database.connection);
try {
  await addOrganization(pool, "org_job", { concurrency: 50, queue: count + 1_000 });
  await addUser(pool, "jo", { org_job: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_job", userId: "jo" });
  const call = node("call", "http-request", { url: `${receiver.url}/job/{{ data.n }}`, expect: "2xx" });
  await addFlow(pool, "org_job", "flow_retry", { graph: chain(call) });
  await addFlow(pool, "org_job", "flow_wait", { graph: chain(node("nap", "wait", { duration: "1h" })) });
  const api = apiOf(await processes.start());
  const killEverySeconds = Number(values["kill-every"]);
  let next = 0;
  const killing =
    killEverySeconds > 0
      ? setInterval(() => void processes.kill((next += 1)), killEverySeconds * 1_000)
      : undefined;

  await addFailedRuns();
  const retry = await work("retry", { flowId: "flow_retry" }, api, key);
  const forked = await pool.query(
    `SELECT count(*) AS forks, count(DISTINCT from_run_id) AS runs FROM run_forks WHERE organization_id = 'org_job'`,
  );
  expect(retry.done === count, `${retry.done} of ${count} runs were retried`);
  expect(
    Number(forked.rows[0].forks) === count && Number(forked.rows[0].runs) === count,
    `there are ${forked.rows[0].forks} forks of ${forked.rows[0].runs} runs`,
  );
  await untilNone(`status IN ('WAITING', 'EXECUTING')`);
  const ended = await pool.query(
    `SELECT r.status, count(*) AS count FROM runs r JOIN run_forks f ON f.run_id = r.id GROUP BY 1`,
  );
  expect(
    ended.rows.length === 1 && ended.rows[0].status === "COMPLETED",
    `the forks ended ${JSON.stringify(ended.rows)}`,
  );
  const effects = receiver.take("job");
  expect(new Set(effects).size === count, `${new Set(effects).size} of ${count} effects happened`);

  let begun = 0;
  while (begun < count) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(TRIGGERS_AT_ONCE, count - begun) }, () =>
        api("POST", "/api/runs", key, { payload: { flowId: "flow_wait" } }),
      ),
    );
    begun += answers.filter(({ status }) => status === 201 || status === 202).length;
  }
  const cancel = await work("cancel", { flowId: "flow_wait" }, api, key);
  const left = await pool.query(
    `SELECT count(*) AS count FROM runs WHERE flow_id = 'flow_wait' AND status <> 'CANCELED'`,
  );
  expect(Number(left.rows[0].count) === 0, `${left.rows[0].count} runs are left`);
  expect(cancel.done === cancel.total && cancel.total === count, `the job ended ${JSON.stringify(cancel)}`);
  clearInterval(killing);
  for (const fault of faults) console.log(fault);
  console.log(
    `${retry.done} retried, ${cancel.done} cancelled, ${processes.kills} workers killed: ${faults.length === 0 ? "each once" : "not as promised"}`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await processes.stop();
  await receiver.close();
  await pool.end();
  await database.stop();
}

/** As if all of them had failed at their only effect. */
async function addFailedRuns(): Promise<void> {
  const ids = new IdMaker(() => Date.now());
  const runs = Array.from({ length: count }, () => ids.make("run"));
  const records = JSON.stringify([
    {
      nodeKey: "start",
      nodeId: "start",
      type: "start",
      status: "COMPLETED",
      startedAt: 1,
      endedAt: 2,
      attempts: 1,
      output: {},
      handle: "out",
      log: [],
    },
    {
      nodeKey: "call",
      nodeId: "call",
      type: "http-request",
      status: "FAILED",
      startedAt: 3,
      endedAt: 4,
      attempts: 1,
      log: [],
    },
  ]);
  await pool.query(
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source, started_at, updated_at, completed_at)
     SELECT 'org_job', id, 'flow_retry', '20260101.1', 'FAILED', 'admitted', false, 3600000, 'api', now(), now(), now() FROM unnest($1::text[]) AS id`,
    [runs],
  );
  await pool.query(
    `INSERT INTO run_payloads (organization_id, run_id, data) SELECT 'org_job', id, json_build_object('n', id) FROM unnest($1::text[]) AS id`,
    [runs],
  );
  await pool.query(
    `INSERT INTO run_results (organization_id, run_id, nodes) SELECT 'org_job', id, $2 FROM unnest($1::text[]) AS id`,
    [runs, records],
  );
}

interface Progress {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
}

/** Stopped once in the middle, and resumed. */
async function work(
  action: string,
  filter: object,
  ask: ReturnType<typeof apiOf>,
  key: string,
): Promise<Progress> {
  const startedMs = performance.now();
  const started = await ask("POST", "/manage/jobs", key, { action, filter });
  const path = `/manage/jobs/${started.body.data.id}`;
  let wasStopped = false;
  for (;;) {
    const job = (await ask("GET", path, key)).body.data as Progress;
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(
      `${action} ${job.status} ${job.done} of ${job.total} after ${seconds} s, ${processes.kills} kills`,
    );
    if (job.status === "completed" || performance.now() - startedMs > MAX_MS) return job;
    if (!wasStopped && job.done > 0) {
      wasStopped = true;
      await ask("POST", `${path}/stop`, key);
      const stopped = (await ask("GET", path, key)).body.data as Progress;
      expect(
        stopped.status === "stopped" || stopped.status === "completed",
        `a stopped job is ${stopped.status}`,
      );
      await sleep(LOOK_MS);
      await ask("POST", `${path}/resume`, key);
    }
    await sleep(LOOK_MS);
  }
}

async function untilNone(condition: string): Promise<void> {
  const deadlineMs = performance.now() + MAX_MS;
  while (performance.now() < deadlineMs) {
    const { rows } = await pool.query(`SELECT count(*) AS count FROM runs WHERE ${condition}`);
    if (Number(rows[0].count) === 0) return;
    await sleep(LOOK_MS);
  }
}
