import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClaimedRun } from "../../src/domain/run.ts";
import type { RawDb } from "../support/database.ts";
import { answerApproval, answerDueWaits } from "../../src/storage/runs/answer-waits.ts";
import { dispatchRuns } from "../../src/storage/runs/dispatch-runs.ts";
import { toAdmit } from "../../src/storage/runs/admit-runs.ts";
import { beginWaits, type NewWait } from "../../src/storage/runs/begin-waits.ts";
import { pauseRun } from "../../src/storage/runs/pause-run.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { untilBlocked } from "../support/runs-blocked.ts";
import {
  addLimitedOrganization,
  addProcess,
  claimReady,
  complete,
  executing,
  newRun,
  rowOf,
} from "../support/runs-storage.ts";

let database: TestDatabase;
let processId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1_000 });
  processId = await addProcess(database.pool);
});
afterAll(() => database.drop());

type Wait = Omit<NewWait, "runId" | "epoch" | "attempt">;
const nap: Wait = { nodeKey: "nap", nodeId: "nap", kind: "wait", untilMs: 0 };
const childWait = (runId: string) => ({
  nodeKey: "child",
  nodeId: "child",
  kind: "run-flow" as const,
  child: toAdmit(newRun({ depth: 1, parent: { runId, nodeKey: "child" } })),
});
const approval: Wait = { nodeKey: "ask", nodeId: "ask", kind: "approval", message: "May it?" };
const later: Wait = { nodeKey: "later", nodeId: "later", kind: "wait", durationMs: 3_600_000 };

const begin = ({ organizationId, id, epoch }: ClaimedRun, ...waits: Wait[]) =>
  beginWaits(
    database.pool,
    organizationId,
    waits.map((wait) => ({ ...wait, runId: id, epoch, attempt: 1 })),
  );
const park = ({ organizationId, id, epoch }: ClaimedRun, ...waits: Wait[]) =>
  pauseRun(database.pool, {
    organizationId,
    id,
    epoch,
    records: [],
    waits: waits.map(({ nodeKey }) => ({ nodeKey, attempt: 1 })),
  });
async function pause(run: ClaimedRun, ...waits: Wait[]): Promise<boolean> {
  await begin(run, ...waits);
  return park(run, ...waits);
}
const own = async (id: string): Promise<ClaimedRun> => {
  const dispatched = await dispatchRuns(database.pool, "org_run", processId, 100);
  const claimed = await claimReady(database.pool, processId, 100);
  return [...dispatched, ...claimed].find((run) => run.id === id)!;
};
const answer = async (runId: string, decision: string, db: RawDb = database.pool) =>
  (await answerApproval(db, { organizationId: "org_run", runId, answer: { decision } })).answered;

/** A run that waits for `wait` and goes on meanwhile, because something else it waited for has come. */
async function goingOn(wait: Wait): Promise<ClaimedRun> {
  const { run } = await executing(database.pool);
  await pause(run, wait, nap);
  await answerDueWaits(database.pool);
  return own(run.id);
}

/** Does `work` while somebody holds the rows that `lock` names, and lets them go once `work` is through. */
async function whileHeld(lock: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = await database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(lock, values);
    await work();
    await holder.query("COMMIT");
  } finally {
    holder.release();
  }
}

describe("an answer that meets its run on the way into PAUSED", () => {
  it("wakes it: the end of a child", async () => {
    const { run } = await executing(database.pool);
    const wait = childWait(run.id);
    await pause(run, wait, nap);
    await answerDueWaits(database.pool);
    const claimed = [
      ...(await dispatchRuns(database.pool, "org_run", processId, 100)),
      ...(await claimReady(database.pool, processId, 100)),
    ];
    const parent = claimed.find(({ id }) => id === run.id)!;
    const childRun = claimed.find(({ id }) => id === wait.child.run.id)!;
    let finishing: Promise<unknown> | undefined;
    await whileHeld(`SELECT FROM runs WHERE id = $1 FOR SHARE`, [childRun.id], async () => {
      finishing = complete(database.pool, childRun);
      await untilBlocked(database.pool, "finished_epoch");
      await pause(parent, wait);
    });
    await finishing;
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "WAITING", stage: "queued" });
  });

  it("wakes it: an approval", async () => {
    const parent = await goingOn(approval);
    let answering: Promise<unknown> | undefined;
    let pausing: Promise<boolean> | undefined;
    await begin(parent, later);
    await whileHeld(`SELECT FROM run_waits WHERE run_id = $1 FOR UPDATE`, [parent.id], async () => {
      answering = answer(parent.id, "approved");
      await untilBlocked(database.pool, "kind = 'approval'");
      pausing = park(parent, approval, later);
      await Promise.race([pausing, untilBlocked(database.pool, "pause_run")]);
    });
    expect(await answering).toEqual({ nodeKey: "ask", nodeId: "ask" });
    expect(await pausing).toBe(true);
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "WAITING", stage: "queued" });
  });

  it("wakes it: an answer that was there before it paused again", async () => {
    const parent = await goingOn(approval);
    await answer(parent.id, "rejected");
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "EXECUTING" });
    await pause(parent, approval, later);
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "WAITING", stage: "queued" });
  });
});

describe("answers", () => {
  it("count once: the first one stays", async () => {
    const { run } = await executing(database.pool);
    await pause(run, approval);
    expect(await answer(run.id, "approved")).not.toBeNull();
    expect(await answer(run.id, "rejected")).toBeNull();
    const { rows } = await database.pool.query(`SELECT answer FROM run_waits WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ answer: { decision: "approved" } }]);
  });

  it("count once when two come at the same moment", async () => {
    const { run } = await executing(database.pool);
    await pause(run, approval);
    const first = await database.pool.connect();
    try {
      await first.query("BEGIN");
      expect(await answer(run.id, "approved", first)).not.toBeNull();
      const second = answer(run.id, "rejected");
      await untilBlocked(database.pool, "kind = 'approval'");
      await first.query("COMMIT");
      expect(await second).toBeNull();
    } finally {
      first.release();
    }
    const { rows } = await database.pool.query(`SELECT answer FROM run_waits WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ answer: { decision: "approved" } }]);
  });

  it("are refused once the run has ended", async () => {
    const parent = await goingOn(approval);
    await complete(database.pool, parent);
    expect(await answer(parent.id, "approved")).toBeNull();
  });
});
