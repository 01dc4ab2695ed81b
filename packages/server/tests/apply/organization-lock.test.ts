import { afterAll, beforeAll, expect, it } from "vitest";
import { putOrganization } from "../../src/storage/catalogue/put-organization.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addLimitedOrganization, admit, newRun } from "../support/runs-storage.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addLimitedOrganization(database.pool, { concurrency: 2 });
});
afterAll(() => database.drop());

it("an apply that stops in the middle stops no trigger of the organization, and counts at its commit", async () => {
  const apply = await database.pool.connect();
  try {
    await apply.query("BEGIN");
    const changed = { id: "org_run", name: "Changed", concurrencyLimit: 7 };
    expect(await putOrganization(apply, changed)).toBe("updated");
    expect(await admit(database.pool, [newRun()])).toMatchObject([{ outcome: "admitted" }]);
    await apply.query("COMMIT");
    expect(await putOrganization(database.pool, changed)).toBe("unchanged");
  } finally {
    apply.release();
  }
  const { rows } = await database.pool.query(
    `SELECT name, concurrency_limit, queue_limit, (SELECT count(*) FROM organization_changes) AS left FROM organizations WHERE id = 'org_run'`,
  );
  expect(rows).toEqual([{ name: "Changed", concurrency_limit: 7, queue_limit: expect.any(Number), left: 0 }]);
});
