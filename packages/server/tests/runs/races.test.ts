import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelRun } from "../../src/storage/runs/cancel-run.ts";
import { dispatchRuns } from "../../src/storage/runs/dispatch-runs.ts";
import { createTestDatabase, type RawDb, type TestDatabase } from "../support/database.ts";
import { untilBlocked } from "../support/runs-blocked.ts";
import {
  addLimitedOrganization,
  addProcess,
  claimReady,
  admit,
  complete,
  executing,
  newRun,
  rowOf,
} from "../support/runs-storage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(20);
  await addLimitedOrganization(database.pool, { concurrency: 1, credits: 1_000_000 });
});
afterAll(() => database.drop());
const limit = (concurrency: number) =>
  database.pool.query(`UPDATE organizations SET concurrency_limit = $1`, [concurrency]);
beforeEach(async () => {
  await database.pool.query(
    `TRUNCATE runs, run_payloads, run_results, run_nodes, run_waits, idempotency_keys`,
  );
  await database.pool.query(`DELETE FROM credit_entries WHERE run_id IS NOT NULL`);
  await limit(1);
});

const slots = async () =>
  (await database.pool.query(`SELECT count(*) AS held FROM runs WHERE holds_slot`)).rows[0].held as number;

/** Does `second` while the transaction of `first` is still open, and lets `first` commit once `second` waits or is through. */
async function overlapping<A, B>(
  first: (db: RawDb) => Promise<A>,
  second: () => Promise<B>,
  waitsAt: string,
): Promise<[A, B]> {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    const one = await first(client);
    const two = second();
    await Promise.race([two, untilBlocked(database.pool, waitsAt)]);
    await client.query("COMMIT");
    return [one, await two];
  } finally {
    client.release();
  }
}

describe("two at the same moment", () => {
  it("triggers never take the same slot", async () => {
    const [[one], [two]] = await overlapping(
      (db) => admit(db, [newRun()]),
      () => admit(database.pool, [newRun()]),
      "admit_triggers",
    );
    expect([one?.outcome, two?.outcome]).toEqual(["admitted", "queued"]);
    expect(await slots()).toBe(1);
  });

  it("dispatchers never give one slot to two runs", async () => {
    const [holding] = await admit(database.pool, [newRun(), newRun(), newRun()]);
    const processId = await addProcess(database.pool);
    await cancelRun(database.pool, "org_run", holding!.runId, { onlyQueued: false });
    const [one, two] = await overlapping(
      (db) => dispatchRuns(db, "org_run", processId, 10),
      () => dispatchRuns(database.pool, "org_run", processId, 10),
      "dispatch_queue",
    );
    expect([one.length, two.length]).toEqual([1, 0]);
    expect(await slots()).toBe(1);
  });

  it("a trigger and a dispatcher never give one slot to two runs, and the queue goes first", async () => {
    const [holding] = await admit(database.pool, [newRun(), newRun()]);
    await cancelRun(database.pool, "org_run", holding!.runId, { onlyQueued: false });
    const processId = await addProcess(database.pool);
    const [dispatched, [triggered]] = await overlapping(
      (db) => dispatchRuns(db, "org_run", processId, 10),
      () => admit(database.pool, [newRun()]),
      "admit_triggers",
    );
    expect([dispatched.length, triggered?.outcome]).toEqual([1, "queued"]);
    expect(await slots()).toBe(1);
  });

  it("claims never take the same run", async () => {
    await limit(20);
    await admit(
      database.pool,
      Array.from({ length: 20 }, () => newRun()),
    );
    const processes = await Promise.all(Array.from({ length: 4 }, () => addProcess(database.pool)));
    const claims = await Promise.all(processes.map((id) => claimReady(database.pool, id, 7)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("uses of one idempotency key make one run", async () => {
    const idempotency = { scope: "api:flow_one", keyHash: createHash("sha256").update("key").digest() };
    await limit(100);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => admit(database.pool, [newRun({ idempotency })])),
    );
    expect(new Set(answers.map(([admission]) => admission?.runId)).size).toBe(1);
    expect(answers.filter(([admission]) => admission?.outcome === "admitted")).toHaveLength(1);
    expect((await database.pool.query(`SELECT FROM runs`)).rowCount).toBe(1);
  });

  it("uses of one idempotency key in one batch make one run, or are refused together", async () => {
    const idempotency = { scope: "api:flow_one", keyHash: createHash("sha256").update("batch").digest() };
    await database.pool.query(`UPDATE organizations SET queue_limit = 0`);
    await limit(0);
    const refused = await admit(database.pool, [newRun({ idempotency }), newRun({ idempotency })]);
    expect(refused.map(({ outcome }) => outcome)).toEqual(["queue_full", "queue_full"]);
    await database.pool.query(`UPDATE organizations SET queue_limit = 10000`);
    const taken = await admit(database.pool, [newRun({ idempotency }), newRun({ idempotency })]);
    expect(taken.map(({ outcome }) => outcome)).toEqual(["queued", "replayed"]);
    expect(taken[1]?.runId).toBe(taken[0]?.runId);
  });
});

describe("hundreds of times", () => {
  const ROUNDS = 300;
  const AT_ONCE = 20;

  async function repeat(round: () => Promise<void>): Promise<void> {
    for (let done = 0; done < ROUNDS; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, round));
    }
  }
  const settlements = async () =>
    (
      await database.pool.query(
        `SELECT count(*) AS runs, count(*) FILTER (WHERE settled = 1) AS settled FROM (
           SELECT r.id, (SELECT count(*) FROM credit_entries c WHERE c.run_id = r.id AND c.kind = 'settle') AS settled FROM runs r) x`,
      )
    ).rows[0];

  /**
   * Starts two together, the one that lost the last time by a millisecond more ahead of the other: so both win on any
   * machine, and mostly by a hair.
   */
  function closeRace() {
    let ahead = 0;
    return async <One, Two>(
      one: () => Promise<One>,
      two: () => Promise<Two>,
      hasOneWon: (result: One) => boolean,
    ): Promise<[One, Two]> => {
      const results = await Promise.all([
        sleep(Math.max(0, -ahead)).then(one),
        sleep(Math.max(0, ahead)).then(two),
      ]);
      ahead += hasOneWon(results[0]) ? -1 : 1;
      return results;
    };
  }

  it("cancel and finish have one winner, and the loser hears it", async () => {
    await limit(10_000);
    const wins = { canceled: 0, finished: 0 };
    const race = closeRace();
    await repeat(async () => {
      const { run } = await executing(database.pool);
      const [canceled, finished] = await race(
        () => cancelRun(database.pool, "org_run", run.id, { onlyQueued: false }),
        () => complete(database.pool, run).then(([result]) => result?.finished),
        (result) => result !== undefined,
      );
      expect(Number(canceled !== undefined) + Number(finished)).toBe(1);
      const row = await rowOf(database.pool, run.id);
      expect(row["status"]).toBe(canceled ? "CANCELED" : "COMPLETED");
      expect(row["finished_epoch"]).toBe(row["epoch"]);
      if (canceled) wins.canceled += 1;
      else wins.finished += 1;
    });
    expect(await settlements()).toEqual({ runs: ROUNDS, settled: ROUNDS });
    expect(Math.min(wins.canceled, wins.finished)).toBeGreaterThan(0);
  }, 120_000);

  it("delete and dispatch have one winner: a canceled item or a run, never both, never neither", async () => {
    const wins = { removed: 0, dispatched: 0 };
    const race = closeRace();
    const processId = await addProcess(database.pool);
    for (let done = 0; done < ROUNDS; done++) {
      await limit(0);
      const [item] = await admit(database.pool, [newRun()]);
      await limit(1);
      const [removed, dispatched] = await race(
        () => cancelRun(database.pool, "org_run", item!.runId, { onlyQueued: true }),
        () => dispatchRuns(database.pool, "org_run", processId, 1),
        (result) => result !== undefined,
      );
      expect(Number(removed !== undefined) + dispatched.length).toBe(1);
      const row = await rowOf(database.pool, item!.runId);
      expect(row["status"]).toBe(removed ? "CANCELED" : "EXECUTING");
      if (removed) wins.removed += 1;
      else {
        wins.dispatched += 1;
        await complete(database.pool, dispatched[0]!);
      }
    }
    expect(await settlements()).toEqual({ runs: ROUNDS, settled: ROUNDS });
    expect(Math.min(wins.removed, wins.dispatched)).toBeGreaterThan(0);
  }, 120_000);

  it("a run that was dispatched cannot be deleted from the queue", async () => {
    const [, item] = await admit(database.pool, [newRun(), newRun()]);
    const processId = await addProcess(database.pool);
    const [holding] = await claimReady(database.pool, processId, 1);
    await complete(database.pool, holding!);
    await dispatchRuns(database.pool, "org_run", processId, 0);
    expect(await cancelRun(database.pool, "org_run", item!.runId, { onlyQueued: true })).toBeUndefined();
    expect(await rowOf(database.pool, item!.runId)).toMatchObject({ status: "WAITING", stage: "admitted" });
    await claimReady(database.pool, processId, 1);
    expect(await cancelRun(database.pool, "org_run", item!.runId, { onlyQueued: true })).toBeUndefined();
  });
});

describe("a batch whose answer was lost", () => {
  it("is told what was committed when it is sent again, and nothing happens twice", async () => {
    await limit(2);
    const idempotency = { scope: "api:flow_one", keyHash: createHash("sha256").update("lost").digest() };
    const runs = [newRun({ idempotency }), newRun(), newRun()];
    const first = await admit(database.pool, runs);
    const again = await admit(database.pool, runs, { again: true });
    expect(first.map(({ outcome }) => outcome)).toEqual(["admitted", "admitted", "queued"]);
    expect(again.map(({ outcome }) => outcome)).toEqual(["known", "known", "known"]);
    expect(again.map(({ runId }) => runId)).toEqual(runs.map(({ id }) => id));
    const { rows } = await database.pool.query(
      `SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM credit_entries WHERE kind = 'reserve') AS reserved`,
    );
    expect(rows[0]).toEqual({ runs: 3, reserved: 3 });
  });
});
