import { afterAll, beforeAll, expect, it } from "vitest";
import { revokeKey } from "../../src/storage/keys/revoke-key.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await startTestService();
  second = await startTestService({}, { database: first.database, role: "api" });
  await addOrganization(first.database.pool, "org_one");
  await addUser(first.database.pool, "ada", { org_one: "owner" });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

it("a revoked key is refused by every process within five seconds, and a warm one costs no query", async () => {
  const { pool } = first.database;
  const { id, key } = await addKey(pool, { organizationId: "org_one", userId: "ada" });
  const statuses = async () => [
    (await first.get("/api/auth/validate", key)).status,
    (await second.get("/api/auth/validate", key)).status,
  ];
  expect(await statuses()).toEqual([200, 200]);

  const reads = async () => {
    await pool.query(`SELECT pg_stat_force_next_flush()`);
    const { rows } = await pool.query(
      `SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'api_keys_hash_key'`,
    );
    return rows[0].idx_scan as number;
  };
  const before = await reads();
  for (let at = 0; at < 20; at++) await statuses();
  // Each process may have asked once more in between, never once per request.
  expect((await reads()) - before).toBeLessThan(10);

  await revokeKey(pool, id);
  await expect.poll(statuses, { timeout: 5_000, interval: 100 }).toEqual([401, 401]);
});
