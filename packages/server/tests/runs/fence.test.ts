import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClaimedRun } from "../../src/domain/run.ts";
import type { RawDb } from "../support/database.ts";
import { cancelRun } from "../../src/storage/runs/cancel-run.ts";
import { checkpointRuns } from "../../src/storage/runs/checkpoint-runs.ts";
import { finishPlainRuns, finishRuns } from "../../src/storage/runs/finish-runs.ts";
import { toAdmit } from "../../src/storage/runs/admit-runs.ts";
import { beginWaits } from "../../src/storage/runs/begin-waits.ts";
import { pauseRun } from "../../src/storage/runs/pause-run.ts";
import { reapRuns } from "../../src/storage/runs/reap-runs.ts";
import { releaseRuns } from "../../src/storage/runs/release-runs.ts";
import { retryRun } from "../../src/storage/runs/retry-run.ts";
import { timeOutRuns } from "../../src/storage/runs/time-out-runs.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  addLimitedOrganization,
  addProcess,
  claimReady,
  complete,
  executing,
  newRun,
  nodeRecord,
  rowOf,
  silence,
} from "../support/runs-storage.ts";
import { until } from "../support/runs-until.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1_000, credits: 1_000_000 });
});
afterAll(() => database.drop());

const checkpoint = (db: RawDb, { organizationId, id, epoch }: ClaimedRun, nodeKey: string, by: string) =>
  checkpointRuns(db, [
    { organizationId, runId: id, epoch, records: [nodeRecord(nodeKey, by)], isNew: false },
  ]);

/** Claimed, lost, and claimed again by another process, which is now inside the same node. */
async function zombie(): Promise<{ old: ClaimedRun; oldProcess: string; now: ClaimedRun }> {
  const { pool } = database;
  const { run: old, processId: oldProcess } = await executing(pool, { maxAttempts: 3 });
  await silence(pool, oldProcess);
  await reapRuns(pool);
  const successor = await addProcess(pool);
  const now = (await claimReady(pool, successor, 1_000)).find(({ id }) => id === old.id)!;
  // The same process id once more, as if the successor were the same process: only the epoch tells them apart.
  await pool.query(`UPDATE runs SET process_id = $2 WHERE id = $1`, [old.id, oldProcess]);
  return { old, oldProcess, now };
}

describe("a worker that has lost its run", () => {
  let old: ClaimedRun;
  let oldProcess: string;
  let now: ClaimedRun;
  let before: Record<string, unknown>;
  beforeEach(async () => {
    ({ old, oldProcess, now } = await zombie());
    before = await rowOf(database.pool, old.id);
  });
  /** The successor never notices: it still owns the run and ends it. */
  afterEach(async () => {
    expect(await rowOf(database.pool, old.id)).toEqual(before);
    expect(before).toMatchObject({ status: "EXECUTING", epoch: now.epoch });
    expect(now.epoch).toBeGreaterThan(old.epoch);
    const [ended] = await complete(database.pool, now);
    expect(ended?.finished).toBe(true);
    expect(await rowOf(database.pool, old.id)).toMatchObject({
      status: "COMPLETED",
      finished_epoch: now.epoch,
    });
  });

  it("stores no checkpoint", async () => {
    expect(await checkpoint(database.pool, old, "fetch", "old")).toEqual([false]);
    expect(await checkpoint(database.pool, now, "fetch", "new")).toEqual([true]);
    const { rows } = await database.pool.query(`SELECT epoch, record FROM run_nodes WHERE run_id = $1`, [
      old.id,
    ]);
    expect(rows).toEqual([{ epoch: now.epoch, record: nodeRecord("fetch", "new") }]);
  });

  it("does not end it", async () => {
    const { organizationId, id, epoch } = old;
    const error = { name: "Late", message: "late" };
    const results = await finishRuns(database.pool, [
      { organizationId, id, epoch, status: "FAILED", error, nodes: [nodeRecord("fetch", "old")], cost: 1 },
    ]);
    expect(results[0]?.finished).toBe(false);
    const { rows } = await database.pool.query(
      `SELECT (SELECT count(*) FROM run_results WHERE run_id = $1) AS results,
              (SELECT count(*) FROM credit_entries WHERE run_id = $1 AND kind = 'settle') AS settled`,
      [id],
    );
    expect(rows[0]).toEqual({ results: 0, settled: 0 });
  });

  it("does not put it back for another attempt", async () => {
    const { organizationId, id, epoch } = old;
    const records = [nodeRecord("fetch", "old")];
    expect(await retryRun(database.pool, { organizationId, id, epoch, delayMs: 0, records })).toBe(false);
    expect((await database.pool.query(`SELECT FROM run_nodes WHERE run_id = $1`, [id])).rowCount).toBe(0);
  });

  it("does not pause it, and makes no wait and no child", async () => {
    const { organizationId, id, epoch } = old;
    const wait = {
      nodeKey: "child",
      nodeId: "child",
      kind: "run-flow" as const,
      child: toAdmit(newRun({ depth: 1, parent: { runId: id, nodeKey: "child" } })),
      runId: id,
      epoch,
      attempt: 1,
    };
    expect(await beginWaits(database.pool, organizationId, [wait])).toEqual([undefined]);
    const paused = await pauseRun(database.pool, {
      organizationId,
      id,
      epoch,
      records: [nodeRecord("fetch", "old")],
      waits: [wait],
    });
    expect(paused).toBe(false);
    const { rows } = await database.pool.query(
      `SELECT (SELECT count(*) FROM run_waits WHERE run_id = $1) AS waits,
              (SELECT count(*) FROM run_nodes WHERE run_id = $1) AS nodes,
              (SELECT count(*) FROM runs WHERE parent_run_id = $1) AS children`,
      [id],
    );
    expect(rows[0]).toEqual({ waits: 0, nodes: 0, children: 0 });
  });

  it("does not give it away", async () => {
    expect(await releaseRuns(database.pool, oldProcess, [old])).toBe(0);
  });
});

describe("a worker whose run was ended from outside", () => {
  it.each([
    ["CANCELED", ({ id }: ClaimedRun) => cancelRun(database.pool, "org_run", id, { onlyQueued: false })],
    [
      "TIMED_OUT",
      async ({ id }: ClaimedRun) => {
        await database.pool.query(`UPDATE runs SET deadline_at = now() - interval '1 hour' WHERE id = $1`, [
          id,
        ]);
        await timeOutRuns(database.pool);
      },
    ],
  ])("stores no checkpoint of a run that is %s", async (status, end) => {
    const { pool } = database;
    const { run } = await executing(pool);
    expect(await checkpoint(pool, run, "before", "worker")).toEqual([true]);
    await end(run);
    expect(await rowOf(pool, run.id)).toMatchObject({ status, finished_epoch: run.epoch + 1 });
    expect(await checkpoint(pool, run, "fetch", "worker")).toEqual([false]);
    const { rows } = await pool.query(`SELECT node_key FROM run_nodes WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ node_key: "before" }]);
  });
});

describe("the short way to end a run", () => {
  const end = ({ organizationId, id, epoch }: ClaimedRun) =>
    finishPlainRuns(database.pool, [
      { organizationId, id, epoch, status: "COMPLETED", output: {}, nodes: [], cost: 1 },
    ]);
  const unlimited = (credits: boolean) =>
    database.pool.query(`UPDATE organizations SET credits_limited = $1 WHERE id = 'org_run'`, [!credits]);

  it("is closed to a worker that has lost the run, and open to the one that has it", async () => {
    await unlimited(true);
    const { old, now } = await zombie();
    expect((await end(old))[0]?.finished).toBe(false);
    expect(await rowOf(database.pool, old.id)).toMatchObject({ status: "EXECUTING", epoch: now.epoch });
    expect((await end(now))[0]?.finished).toBe(true);
    expect(await rowOf(database.pool, old.id)).toMatchObject({
      status: "COMPLETED",
      finished_epoch: now.epoch,
    });
    await unlimited(false);
  });

  it("is not for runs that have reserved credits, whatever the organization has now", async () => {
    const { run } = await executing(database.pool);
    await unlimited(true);
    expect((await end(run))[0]?.finished).toBe(false);
    expect((await complete(database.pool, run))[0]?.finished).toBe(true);
    await unlimited(false);
    const { rows } = await database.pool.query(
      `SELECT kind FROM credit_entries WHERE run_id = $1 ORDER BY kind`,
      [run.id],
    );
    expect(rows).toEqual([{ kind: "reserve" }, { kind: "settle" }]);
  });

  it("is not for a run that another one has started", async () => {
    await unlimited(true);
    const { run: child } = await executing(database.pool);
    await database.pool.query(`UPDATE runs SET parent_run_id = $2 WHERE id = $1`, [child.id, child.id]);
    expect((await end(child))[0]?.finished).toBe(false);
    await unlimited(false);
  });
});

describe("whoever takes a run over", () => {
  it("waits for a checkpoint that is under way, so that none can land afterwards", async () => {
    const { pool } = database;
    const { run, processId } = await executing(pool);
    await silence(pool, processId);
    const writing = await pool.connect();
    try {
      await writing.query("BEGIN");
      expect(await checkpoint(writing, run, "fetch", "slow")).toEqual([true]);
      expect((await reapRuns(pool)).filter(({ id }) => id === run.id)).toEqual([]);
      await writing.query("COMMIT");
      expect((await reapRuns(pool)).filter(({ id }) => id === run.id)).toHaveLength(1);
    } finally {
      writing.release();
    }
  });

  it("keeps out a checkpoint that waited for it", async () => {
    const { pool } = database;
    const { run } = await executing(pool);
    const taking = await pool.connect();
    try {
      await taking.query("BEGIN");
      await taking.query(`UPDATE runs SET epoch = epoch + 1 WHERE id = $1`, [run.id]);
      const waiting = checkpoint(pool, run, "fetch", "late");
      await until("the checkpoint waits for the row", async () => {
        const { rows } = await pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%run_nodes%' AND datname = current_database()`,
        );
        return rows.length > 0;
      });
      await taking.query("COMMIT");
      expect(await waiting).toEqual([false]);
    } finally {
      taking.release();
    }
    const { rows } = await pool.query(`SELECT record FROM run_nodes WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([]);
    await complete(pool, { ...run, epoch: run.epoch + 1 });
  });

  it("raises the epoch every time: claim, loss, release, cancel", async () => {
    const { pool } = database;
    const { run, processId } = await executing(pool);
    expect(run.epoch).toBe(1);
    await silence(pool, processId);
    await reapRuns(pool);
    expect(await rowOf(pool, run.id)).toMatchObject({ epoch: 2, status: "WAITING", recoveries: 1 });
    const next = await addProcess(pool);
    const again = (await claimReady(pool, next, 1_000)).find(({ id }) => id === run.id)!;
    expect(again.epoch).toBe(3);
    expect(await releaseRuns(pool, next, [again])).toBe(1);
    expect(await rowOf(pool, run.id)).toMatchObject({ epoch: 4, status: "WAITING", recoveries: 1 });
    await cancelRun(pool, "org_run", run.id, { onlyQueued: false });
    expect(await rowOf(pool, run.id)).toMatchObject({ epoch: 5, finished_epoch: 5, status: "CANCELED" });
  });

  it("ends it CRASHED after the third loss", async () => {
    const { pool } = database;
    const { run, processId } = await executing(pool);
    let owner = processId;
    for (const recoveries of [1, 2]) {
      await silence(pool, owner);
      await reapRuns(pool);
      expect(await rowOf(pool, run.id)).toMatchObject({ status: "WAITING", recoveries, attempt: 1 });
      owner = await addProcess(pool);
      await claimReady(pool, owner, 1_000);
    }
    await silence(pool, owner);
    await reapRuns(pool);
    expect(await rowOf(pool, run.id)).toMatchObject({ status: "CRASHED", recoveries: 3 });
    const { rows } = await pool.query(`SELECT error FROM run_results WHERE run_id = $1`, [run.id]);
    expect(rows[0].error.name).toBe("WorkerLost");
  });
});

describe("checkpoints in one statement", () => {
  it("are each answered for themselves, also when one run has several", async () => {
    const { pool } = database;
    const { run: twice } = await executing(pool);
    const { old, now } = await zombie();
    const of = (run: ClaimedRun, nodeKey: string) => ({
      organizationId: run.organizationId,
      runId: run.id,
      epoch: run.epoch,
      records: [nodeRecord(nodeKey, "one")],
      isNew: true,
    });
    const kept = await checkpointRuns(pool, [
      of(twice, "a"),
      of(twice, "b"),
      of(old, "c"),
      of(now, "d"),
      of(old, "e"),
    ]);
    expect(kept).toEqual([true, true, false, true, false]);
    await complete(pool, twice);
    await complete(pool, now);
  });

  it("never change an output that is there", async () => {
    const { run } = await executing(database.pool);
    await checkpoint(database.pool, run, "fetch", "first");
    expect(await checkpoint(database.pool, run, "fetch", "second")).toEqual([true]);
    const { rows } = await database.pool.query(`SELECT record FROM run_nodes WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ record: nodeRecord("fetch", "first") }]);
    await complete(database.pool, run);
  });
});
