import { runStatuses, type RunStatus } from "@millrace/contract/run-status";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal, runTransitions } from "../../src/domain/run-status.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addLimitedOrganization, complete, executing } from "../support/runs-storage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 1_000, credits: 1_000_000 });
});
afterAll(() => database.drop());

describe("the schema itself refuses", () => {
  it("every move between statuses that is not in the table, and no other", async () => {
    const { pool } = database;
    const refused: string[] = [];
    for (const from of runStatuses) {
      for (const to of runStatuses) {
        const { run } = await executing(pool);
        await moveByHand(run.id, from);
        await moveByHand(run.id, to).catch((error: Error) => {
          expect(error.message).toContain(`is ${from} at epoch 1 and cannot become ${to}`);
          refused.push(`${from} to ${to}`);
        });
      }
    }
    const expected = runStatuses.flatMap((from) =>
      runStatuses
        .filter((to) => to !== from && !runTransitions[from].includes(to))
        .map((to) => `${from} to ${to}`),
    );
    expect(refused).toEqual(expected);
  });

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

/** As nothing of the service does it; the other rules about a status are kept. */
function moveByHand(id: string, status: RunStatus) {
  return database.pool.query(
    `UPDATE runs SET status = $2,
            process_id = CASE WHEN $2 = 'EXECUTING' THEN coalesce(process_id, gen_random_uuid()) END,
            deadline_at = CASE WHEN $2 = 'EXECUTING' THEN coalesce(deadline_at, clock_timestamp()) END,
            completed_at = CASE WHEN $3 THEN clock_timestamp() END
      WHERE id = $1`,
    [id, status, isTerminal(status)],
  );
}
