import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunAdmission } from "../../src/operations/runs/admission.ts";
import { GroupCommit } from "../../src/storage/group-commit.ts";
import { dispatchRuns } from "../../src/storage/runs/dispatch-runs.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  addLimitedOrganization,
  addProcess,
  admit,
  claimReady,
  complete,
  newRun,
  rowOf,
} from "../support/runs-storage.ts";
import { addOrganization } from "../support/workspace.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1, queue: 20 });
});
afterAll(() => database.drop());

const api = async () =>
  new RunAdmission({
    db: database.pool,
    processId: await addProcess(database.pool),
    worker: undefined,
    onAdmitted: () => {},
  });

describe("the bound of the queue", () => {
  it("counts what waits now, not what ever waited", async () => {
    const admission = await api();
    const processId = await addProcess(database.pool);
    await admission.admit("org_run", newRun());
    await admission.admit("org_run", newRun());
    let [running] = await claimReady(database.pool, processId, 1);
    // Never more than two wait, but far more than 20 pass through.
    for (let passed = 0; passed < 60; passed++) {
      expect((await admission.admit("org_run", newRun())).outcome).toBe("queued");
      await complete(database.pool, running!);
      [running] = await dispatchRuns(database.pool, "org_run", processId, 1);
    }
  });

  it("holds for several processes together", async () => {
    const admissions = await Promise.all(Array.from({ length: 4 }, api));
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, at) => admissions[at % 4]!.admit("org_run", newRun())),
    );
    expect(answers.some(({ outcome }) => outcome === "queue_full")).toBe(true);
    const { rows } = await database.pool.query(
      `SELECT count(*) AS waiting FROM runs WHERE status = 'WAITING' AND stage = 'queued'`,
    );
    expect(rows[0].waiting).toBe(20);
  });
});

describe("delayed runs", () => {
  it("count as waiting, together with queued ones, in one batch and in many", async () => {
    await addOrganization(database.pool, "org_late", { concurrency: 1, queue: 50 });
    const admissions = await Promise.all(Array.from({ length: 2 }, api));
    const late = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          admissions[at % 2]!.admit("org_late", newRun({ delayMs: 3_600_000 })),
        ),
      );
    const outcomes = [...(await late(30)), ...(await late(30)), ...(await late(60))].map(
      ({ outcome }) => outcome,
    );
    expect(outcomes.filter((outcome) => outcome === "delayed")).toHaveLength(50);
    expect(outcomes.filter((outcome) => outcome === "queue_full")).toHaveLength(70);
    // The one slot is free for whoever starts at once; the next would have to wait.
    expect((await admissions[0]!.admit("org_late", newRun())).outcome).toBe("admitted");
    expect((await admissions[0]!.admit("org_late", newRun())).outcome).toBe("queue_full");
  });
});

describe("writes that go together", () => {
  it("fail alone: one that cannot be written does not take the others with it", async () => {
    const flushed: number[][] = [];
    const commit = new GroupCommit<number, number>(
      async (items) => {
        flushed.push(items);
        if (items.includes(3)) throw new Error("3 cannot be written");
        return items.map((item) => item * 10);
      },
      { maxItems: 10, maxUnderWay: 1 },
    );
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => commit.add(item)));
    expect(results.map((one) => (one.status === "fulfilled" ? one.value : "failed"))).toEqual([
      10,
      20,
      "failed",
      40,
    ]);
    expect(flushed[0]).toEqual([1, 2, 3, 4]);
  });

  it("are not tried one by one where the database is away", async () => {
    let tries = 0;
    const commit = new GroupCommit<number, number>(
      async () => {
        tries += 1;
        throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
      },
      { maxItems: 10, maxUnderWay: 1 },
    );
    const results = await Promise.allSettled([1, 2, 3].map((item) => commit.add(item)));
    expect(results.every(({ status }) => status === "rejected")).toBe(true);
    expect(tries).toBe(1);
  });
});

describe("runs that are made together", () => {
  const columns = ["flow_id", "version", "trigger_source", "max_duration_ms", "is_test", "tags", "status"];
  const made = async (runs: Parameters<typeof admit>[1], room: number) => {
    const organizationId = `org_together_${room}`;
    await addOrganization(database.pool, organizationId, { concurrency: room, queue: 50 });
    await admit(database.pool, runs, { organizationId, claimFor: await addProcess(database.pool) });
    const rows = await Promise.all(runs.map(({ id }) => rowOf(database.pool, id)));
    return rows.map((row) => columns.map((column) => row[column]));
  };

  it("are begun at once where all agree and there is room for all", async () => {
    expect(await made([newRun(), newRun(), newRun()], 3)).toEqual(
      Array.from({ length: 3 }, () => ["flow_one", "20260101.1", "api", 3_600_000, false, [], "EXECUTING"]),
    );
  });

  it("keep what each of them says, and wait where there is no room", async () => {
    const other = newRun({ flowId: "flow_two", version: "20260202.2", triggerSource: "webhook" });
    const odd = newRun({ maxDurationMs: 5_000, isTest: true, tags: ["odd"] });
    expect(await made([newRun(), other, odd], 2)).toEqual([
      ["flow_one", "20260101.1", "api", 3_600_000, false, [], "EXECUTING"],
      ["flow_two", "20260202.2", "webhook", 3_600_000, false, [], "EXECUTING"],
      ["flow_one", "20260101.1", "api", 5_000, true, ["odd"], "WAITING"],
    ]);
  });
});
