import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IdMaker } from "../../src/domain/ids.ts";
import type { ClaimedRun } from "../../src/domain/run.ts";
import { answerApproval, answerDueWaits } from "../../src/storage/runs/answer-waits.ts";
import { dispatchRuns } from "../../src/storage/runs/dispatch-runs.ts";
import { pauseRun, type Wait } from "../../src/storage/runs/pause-run.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { untilBlocked } from "../support/runs-blocked.ts";
import {
  addLimitedOrganization,
  addProcess,
  claimReady,
  complete,
  executing,
  rowOf,
} from "../support/runs-storage.ts";

const ids = new IdMaker(() => Date.now());
let database: TestDatabase;
let processId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1_000 });
  processId = await addProcess(database.pool);
});
afterAll(() => database.drop());

const nap: Wait = { nodeKey: "nap", nodeId: "nap", kind: "wait", dueAt: new Date(0) };
const child = (): Wait => ({
  nodeKey: "child",
  nodeId: "child",
  kind: "run-flow",
  child: {
    id: ids.make("run"),
    flowId: "flow_one",
    version: "20260101.1",
    depth: 1,
    maxDurationMs: 60_000,
    credits: 1,
    data: {},
    trigger: null,
  },
});
const approval: Wait = { nodeKey: "ask", nodeId: "ask", kind: "approval", message: "May it?" };
const later: Wait = {
  nodeKey: "later",
  nodeId: "later",
  kind: "wait",
  dueAt: new Date(Date.now() + 3_600_000),
};

const pause = ({ organizationId, id, epoch }: ClaimedRun, ...waits: Wait[]) =>
  pauseRun(database.pool, { organizationId, id, epoch, records: [], waits });
const own = async (id: string): Promise<ClaimedRun> => {
  const dispatched = await dispatchRuns(database.pool, "org_run", processId, 100);
  const claimed = await claimReady(database.pool, processId, 100);
  return [...dispatched, ...claimed].find((run) => run.id === id)!;
};

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
    const wait = child();
    const { run } = await executing(database.pool);
    await pause(run, wait, nap);
    await answerDueWaits(database.pool);
    const claimed = [
      ...(await dispatchRuns(database.pool, "org_run", processId, 100)),
      ...(await claimReady(database.pool, processId, 100)),
    ];
    const parent = claimed.find(({ id }) => id === run.id)!;
    const childRun = claimed.find(({ id }) => id === wait.child!.id)!;
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
    await whileHeld(`SELECT FROM run_waits WHERE run_id = $1 FOR UPDATE`, [parent.id], async () => {
      const answer = { decision: "approved" };
      answering = answerApproval(database.pool, { organizationId: "org_run", runId: parent.id, answer });
      await untilBlocked(database.pool, "kind = 'approval'");
      pausing = pause(parent, approval, later);
      await Promise.race([pausing, untilBlocked(database.pool, "status = 'PAUSED'")]);
    });
    expect(await answering).toEqual({ nodeKey: "ask", nodeId: "ask" });
    expect(await pausing).toBe(true);
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "WAITING", stage: "queued" });
  });

  it("wakes it: an answer that was there before it paused again", async () => {
    const parent = await goingOn(approval);
    await answerApproval(database.pool, {
      organizationId: "org_run",
      runId: parent.id,
      answer: { decision: "rejected" },
    });
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "EXECUTING" });
    await pause(parent, approval, later);
    expect(await rowOf(database.pool, parent.id)).toMatchObject({ status: "WAITING", stage: "queued" });
  });
});

describe("answers", () => {
  it("count once: the first one stays", async () => {
    const { run } = await executing(database.pool);
    await pause(run, approval);
    const give = (decision: string) =>
      answerApproval(database.pool, { organizationId: "org_run", runId: run.id, answer: { decision } });
    expect(await give("approved")).toBeDefined();
    expect(await give("rejected")).toBeUndefined();
    const { rows } = await database.pool.query(`SELECT answer FROM run_waits WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ answer: { decision: "approved" } }]);
  });

  it("count once when two come at the same moment", async () => {
    const { run } = await executing(database.pool);
    await pause(run, approval);
    const first = await database.pool.connect();
    try {
      await first.query("BEGIN");
      const answer = (decision: string) => ({
        organizationId: "org_run",
        runId: run.id,
        answer: { decision },
      });
      expect(await answerApproval(first, answer("approved"))).toBeDefined();
      const second = answerApproval(database.pool, answer("rejected"));
      await untilBlocked(database.pool, "kind = 'approval'");
      await first.query("COMMIT");
      expect(await second).toBeUndefined();
    } finally {
      first.release();
    }
    const { rows } = await database.pool.query(`SELECT answer FROM run_waits WHERE run_id = $1`, [run.id]);
    expect(rows).toEqual([{ answer: { decision: "approved" } }]);
  });

  it("are refused once the run has ended", async () => {
    const parent = await goingOn(approval);
    await complete(database.pool, parent);
    const answer = { organizationId: "org_run", runId: parent.id, answer: { decision: "approved" } };
    expect(await answerApproval(database.pool, answer)).toBeUndefined();
  });
});
