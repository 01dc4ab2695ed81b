import { afterAll, beforeAll, expect, it } from "vitest";
import { hello } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 10 });
  for (const flowId of ["flow_active", "flow_passive"]) await service.flow(flowId, hello);
  const { pool } = service.database;
  await pool.query(`UPDATE flows SET active = false WHERE id = 'flow_passive'`);
});
afterAll(() => service.stop());

it("the schedules of a passive flow rest, and what was due meanwhile is not made up for", async () => {
  const { pool } = service.database;
  const scheduled = async () =>
    (
      await pool.query<{ flow_id: string }>(`SELECT flow_id FROM runs WHERE trigger_source = 'schedule'`)
    ).rows.map(({ flow_id }) => flow_id);
  const isFuture = async (flowId: string) =>
    (await pool.query(`SELECT next_at > now() AS "future" FROM flow_schedules WHERE flow_id = $1`, [flowId]))
      .rows[0].future as boolean;
  await pool.query(
    `INSERT INTO flow_schedules (organization_id, flow_id, id, cron, timezone, next_at)
     SELECT organization_id, id, 'often', '0 0 1 1 *', 'UTC', date_trunc('milliseconds', now()) FROM flows`,
  );
  await until(
    "both have been looked at",
    async () => (await isFuture("flow_active")) && (await isFuture("flow_passive")),
  );
  expect(await scheduled()).toEqual(["flow_active"]);
});

it("a passive flow is still started by the API", async () => {
  const { status } = await service.send("POST", "/api/runs", {
    key: service.key,
    body: { payload: { flowId: "flow_passive" } },
  });
  expect(status).toBe(201);
});
