import { afterAll, beforeAll, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { startStormReceiver, type StormReceiver } from "../fork/storm.ts";
import { chain, node } from "../support/runs-flows.ts";
import { startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addRun, nodeRecord } from "../support/runs.ts";

let service: RunTestService;
let receiver: StormReceiver;
let terminal: Terminal;
beforeAll(async () => {
  receiver = await startStormReceiver();
  service = await startRunService({ concurrency: 5, queue: 1_000 });
  terminal = await createTerminal();
  const call = node("call", "http-request", { url: `${receiver.url}/job/{{ data.n }}`, expect: "2xx" });
  await service.flow("flow_job", chain(node("first", "set", { values: {} }), call));
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
  await receiver.close();
});

const start = (body: object) => service.send("POST", "/manage/jobs", { key: service.key, body });
const untilDone = (id: string) =>
  until(`${id} has ended`, async () => {
    const { body } = await service.get(`/manage/jobs/${id}`, service.key);
    return body.data.status !== "running" && body.data;
  });

/** Runs that have failed at their call. */
async function failed(count: number, tag: string): Promise<string[]> {
  const runs: string[] = [];
  for (let n = 0; n < count; n += 1)
    runs.push(
      await addRun(service.database.pool, {
        organizationId: "org_run",
        flowId: "flow_job",
        status: "FAILED",
        tags: [tag],
        data: { n: `${tag}${n}` },
        error: { name: "No", message: "no", nodeId: "call" },
        nodes: [
          nodeRecord("start", 1, { type: "start", output: {} }),
          nodeRecord("first", 2),
          nodeRecord("call", 3, { type: "http-request", status: "FAILED", handle: undefined }),
        ],
      }),
    );
  return runs;
}

it("retries every run that matches, each once, and says what became of it", async () => {
  const runs = await failed(120, "retry");
  await failed(3, "other");
  const answer = await start({ action: "retry", filter: { tag: ["retry"], flowId: "flow_job" } });
  expect(answer.status).toBe(202);
  expect(answer.body.data).toMatchObject({
    action: "retry",
    status: "running",
    total: 120,
    createdBy: "rosa",
  });
  const job = await untilDone(answer.body.data.id);
  expect(job).toMatchObject({
    status: "completed",
    total: 120,
    done: 120,
    failed: 0,
    skipped: 0,
    pending: 0,
  });
  const { rows } = await service.database.pool.query(
    `SELECT f.from_run_id FROM run_forks f WHERE f.from_run_id = ANY($1) ORDER BY 1`,
    [runs],
  );
  expect(rows.map((row) => row.from_run_id)).toEqual(runs.toSorted());
  const page = (await service.get(`/manage/jobs/${job.id}/runs?state=done`, service.key)).body.data;
  expect(page.data).toHaveLength(120);
  for (const { newRunId } of page.data) expect((await service.untilEnd(newRunId)).status).toBe("COMPLETED");
  const effects = receiver.take("job");
  expect(new Set(effects).size).toBe(120);
  expect(effects).toHaveLength(120);
});

it("cancels what waits, executes and is paused, and leaves what has ended", async () => {
  const gate = await startGate();
  await service.flow("flow_held", chain(gate.node("hold")));
  await service.flow("flow_paused", chain(node("ask", "approval", { message: "?" })));
  const paused = await service.begin("flow_paused", { tags: ["stop"] });
  await service.untilStatus(paused, "PAUSED");
  const runs = await Promise.all(
    Array.from({ length: 30 }, () => service.begin("flow_held", { tags: ["stop"] })),
  );
  await gate.untilArrived(5);
  const { body } = await start({ action: "cancel", filter: { tag: ["stop"] } });
  const job = await untilDone(body.data.id);
  expect(job).toMatchObject({ status: "completed", total: 31, done: 31 });
  const { rows } = await service.database.pool.query(`SELECT DISTINCT status FROM runs WHERE id = ANY($1)`, [
    [paused, ...runs],
  ]);
  expect(rows).toEqual([{ status: "CANCELED" }]);
  await gate.close();
});

it("can be stopped, and goes on with what is left, in whatever process, without doing anything twice", async () => {
  const { pool } = service.database;
  const runs = await failed(40, "stop-and-go");
  // As if a process had claimed it, forked the first run and been killed before it could write that down.
  await pool.query(
    `INSERT INTO jobs (organization_id, id, action, status, filter, fork, created_by, created_at, updated_at, process_id, lease_until)
     VALUES ('org_run', 'job_00000000000000000000dead', 'retry', 'running', '{}', '{}', 'rosa', now(), now(), gen_random_uuid(), now() + interval '1 second')`,
  );
  await pool.query(
    `INSERT INTO job_runs (organization_id, job_id, run_id) SELECT 'org_run', 'job_00000000000000000000dead', unnest($1::text[])`,
    [runs],
  );
  const forked = await service.send("POST", `/api/runs/${runs[0]}/fork`, {
    key: service.key,
    body: { idempotencyKey: "job_00000000000000000000dead" },
  });
  const path = "/manage/jobs/job_00000000000000000000dead";
  expect((await service.send("POST", `${path}/stop`, { key: service.key })).body.data.status).toBe("stopped");
  expect((await service.send("POST", `${path}/resume`, { key: service.key })).body.data.status).toBe(
    "running",
  );
  const job = await untilDone("job_00000000000000000000dead");
  expect(job).toMatchObject({ status: "completed", done: 40 });
  const { rows } = await pool.query(`SELECT run_id FROM run_forks WHERE from_run_id = ANY($1)`, [runs]);
  expect(rows).toHaveLength(40);
  expect(rows.map((row) => row.run_id)).toContain(
    forked.body.data.id ?? `run_${forked.body.data.queueId.slice(6)}`,
  );
  const audit = await pool.query(`SELECT action FROM audit_entries WHERE target = $1 ORDER BY id`, [job.id]);
  expect(audit.rows.map(({ action }) => action)).toEqual(["job.stop", "job.resume"]);
});

it("notes runs that are refused with the reason, and goes on", async () => {
  const [gone] = await failed(1, "refused");
  await service.database.pool.query(`UPDATE runs SET flow_id = 'flow_gone' WHERE id = $1`, [gone]);
  const { body } = await start({ action: "retry", filter: { tag: ["refused"] } });
  expect(await untilDone(body.data.id)).toMatchObject({ status: "completed", failed: 1 });
  const { data } = (await service.get(`/manage/jobs/${body.data.id}/runs`, service.key)).body.data;
  expect(data).toEqual([{ runId: gone, state: "failed", message: "flow_not_found" }]);
});

it("refuses what an action cannot do", async () => {
  const issueOf = async (body: object) => (await start(body)).body.issues?.[0]?.path;
  expect(await issueOf({ action: "cancel", filter: { status: ["FAILED"] } })).toEqual(["filter", "status"]);
  expect(await issueOf({ action: "retry", filter: { status: ["COMPLETED"] } })).toEqual(["filter", "status"]);
  expect(await issueOf({ action: "retry", fork: { from: "call" } })).toEqual(["fork", "from"]);
  expect(await issueOf({ action: "cancel", fork: {} })).toEqual(["fork"]);
  expect(await issueOf({ action: "cancel", filter: { tags: ["x"] } })).toBeDefined();
  expect((await service.get("/manage/jobs/job_00000000000000000000none", service.key)).status).toBe(404);
});

it("is started and watched on the command line", async () => {
  const env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key };
  await failed(5, "cli");
  const { code, stdout } = await terminal.run('jobs start fork --tag cli --fork {"from":"call"} --wait', env);
  expect(code).toBe(0);
  expect(stdout.split("\n").at(-1)).toMatch(
    /^job_\w+ {2}fork {2}completed {2}5 runs: 5 done, 0 skipped, 0 failed, 0 left$/,
  );
  const id = /job_\w+/.exec(stdout)![0];
  expect((await terminal.run("jobs list", env)).stdout).toContain(id);
  expect(await terminal.json(`jobs get ${id}`, env)).toMatchObject({ id, failures: [] });
  expect((await terminal.run(`jobs stop ${id}`, env)).stdout).toContain("completed");
  expect((await terminal.run("jobs start explode", env)).code).not.toBe(0);
});
