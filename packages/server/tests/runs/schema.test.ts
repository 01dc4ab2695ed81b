import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addLimitedOrganization, complete, executing } from "../support/runs-storage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1_000, credits: 1_000_000 });
});
afterAll(() => database.drop());

describe("the schema itself refuses", () => {
  it.each(["COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"])(
    "to let a run leave %s",
    async (status) => {
      const { pool } = database;
      const { run } = await executing(pool);
      await pool.query(
        `UPDATE runs SET status = $2, process_id = NULL, deadline_at = NULL, completed_at = clock_timestamp() WHERE id = $1`,
        [run.id, status],
      );
      const leave = pool.query(`UPDATE runs SET status = 'WAITING', completed_at = NULL WHERE id = $1`, [
        run.id,
      ]);
      await expect(leave).rejects.toThrow(`is ${status}`);
    },
  );

  it("to lower an epoch", async () => {
    const { run } = await executing(database.pool);
    await expect(
      database.pool.query(`UPDATE runs SET epoch = epoch - 1 WHERE id = $1`, [run.id]),
    ).rejects.toThrow("cannot become");
    await complete(database.pool, run);
  });

  it("to settle a run twice, whatever the entry is called", async () => {
    const { run } = await executing(database.pool);
    await complete(database.pool, run);
    await expect(
      database.pool.query(
        `INSERT INTO credit_entries (organization_id, id, kind, amount, run_id) VALUES ('org_run', 'again', 'settle', 1, $1)`,
        [run.id],
      ),
    ).rejects.toThrow("credit_entries_once_a_run");
  });
});
