import { lowestIdAt } from "../../packages/server/src/domain/ids.ts";
import type { Pool } from "pg";
import { toBase62 } from "../../packages/server/src/domain/base62.ts";

const ROWS_AT_ONCE = 20_000;

/** Ids of runs made one a millisecond, the last one just now. */
function* idBatches(count: number, endMs: number): Generator<string[]> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const size = Math.min(ROWS_AT_ONCE, count - from);
    yield Array.from({ length: size }, (_, at) => {
      const lowest = lowestIdAt("run", endMs - count + from + at);
      return lowest.slice(0, -4) + toBase62((from + at) % 62 ** 4, 4);
    });
  }
}

/**
 * Runs that have ended long ago, as they would have come: 94 % completed, some failed, cancelled, timed out or
 * crashed; ten flows, five versions, one in fifty a test, one in twenty a sub-flow, a common and a rare tag.
 */
export async function seedHistory(pool: Pool, organizationId: string, count: number): Promise<void> {
  await seed(pool, organizationId, count, [
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, epoch, max_duration_ms, claimed_at,
       trigger_source, tags, is_test, parent_run_id, parent_node_key, started_at, updated_at, completed_at, finished_epoch)
     SELECT $1, id, 'flow_' || at % 10, '20260101.' || 1 + at % 5,
       CASE WHEN at % 50 = 7 THEN 'FAILED' WHEN at % 100 = 11 THEN 'CANCELED' WHEN at % 100 = 13 THEN 'TIMED_OUT'
            WHEN at % 1000 = 17 THEN 'CRASHED' ELSE 'COMPLETED' END,
       'admitted', false, 1, 3600000, now(), (ARRAY['api', 'webhook', 'schedule'])[1 + at % 3],
       CASE WHEN at % 1000 = 23 THEN '{common,rare}'::text[] WHEN at % 3 = 0 THEN '{common}' ELSE '{}' END,
       at % 50 = 3, CASE WHEN at % 20 = 5 THEN 'run_000000000000000000000000' END, CASE WHEN at % 20 = 5 THEN 'call' END,
       now(), now(), now(), 1
     FROM unnest($2::text[]) WITH ORDINALITY AS a(id, at)`,
    `INSERT INTO run_tags SELECT $1, tag, r.status, r.id FROM runs r CROSS JOIN unnest(r.tags) AS tag
      WHERE r.organization_id = $1 AND r.id = ANY($2::text[])`,
    `INSERT INTO run_payloads (organization_id, run_id, data) SELECT $1, id, '{"name":"Ada"}' FROM unnest($2::text[]) AS id`,
    `INSERT INTO run_results (organization_id, run_id, output, nodes)
     SELECT $1, id, '{"text":"Hello Ada"}', '[{"nodeKey":"start"},{"nodeKey":"greet"},{"nodeKey":"done"}]' FROM unnest($2::text[]) AS id`,
  ]);
}

/** Runs of one flow that wait in the queue, answered 202 some time ago. */
export async function seedQueue(
  pool: Pool,
  queue: { organizationId: string; flowId: string; version: string; count: number },
): Promise<void> {
  const { organizationId, flowId, version, count } = queue;
  await seed(pool, organizationId, count, [
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source, updated_at)
     SELECT $1, id, '${flowId}', '${version}', 'WAITING', 'queued', true, 3600000, 'api', now() FROM unnest($2::text[]) AS id`,
  ]);
}

async function seed(
  pool: Pool,
  organizationId: string,
  count: number,
  statements: readonly string[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`SET synchronous_commit = off; SET statement_timeout = 0`);
    for (const ids of idBatches(count, Date.now())) {
      await client.query("BEGIN");
      for (const statement of statements) await client.query(statement, [organizationId, ids]);
      await client.query("COMMIT");
    }
  } finally {
    await client.query(`RESET synchronous_commit; RESET statement_timeout`);
    client.release();
  }
  await pool.query(`VACUUM ANALYZE`);
}
