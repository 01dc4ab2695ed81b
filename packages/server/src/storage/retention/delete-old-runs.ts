import { bigint } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const PAGE = 500;

const DELETE_OLD_RUNS = statement({
  text: `WITH old AS (
       SELECT organization_id, id FROM runs
        WHERE organization_id = $1 AND id < $2 AND completed_at IS NOT NULL ORDER BY id LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
     ), payloads AS (
       DELETE FROM run_payloads x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), results AS (
       DELETE FROM run_results x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), nodes AS (
       DELETE FROM run_nodes x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), waits AS (
       DELETE FROM run_waits x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), forks AS (
       DELETE FROM run_forks x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), keys AS (
       DELETE FROM idempotency_keys x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), failures AS (
       DELETE FROM run_failures x USING old o WHERE x.organization_id = o.organization_id AND x.run_id = o.id
     ), tags AS (
       DELETE FROM run_tags x USING old o, runs r
        WHERE r.organization_id = o.organization_id AND r.id = o.id
          AND x.organization_id = o.organization_id AND x.tag = ANY(r.tags) AND x.status = r.status AND x.run_id = o.id
     ), gone AS (
       DELETE FROM runs r USING old o WHERE r.organization_id = o.organization_id AND r.id = o.id RETURNING r.id
     )
     SELECT count(*) AS count FROM gone`,
  columns: { count: bigint },
});

/** Ended runs of an organization that are older than an id; a page at a time, so that nobody waits for it. */
export async function deleteOldRuns(db: Db, organizationId: string, olderThanId: string): Promise<number> {
  const { rows } = await db.query(DELETE_OLD_RUNS([organizationId, olderThanId]));
  return rows[0]!.count;
}

const CARRY_CREDITS = statement({
  text: `WITH settled AS (
       SELECT run_id FROM credit_entries WHERE organization_id = $1 AND kind = 'settle' AND run_id < $2 LIMIT 5000
     ), gone AS (
       DELETE FROM credit_entries e USING settled s WHERE e.organization_id = $1 AND e.run_id = s.run_id RETURNING e.amount
     )
     INSERT INTO credit_entries AS e (organization_id, id, kind, amount)
     SELECT $1, 'carry', 'carry', sum(amount) FROM gone HAVING count(*) > 0
     ON CONFLICT (organization_id, id) DO UPDATE SET amount = e.amount + excluded.amount`,
});

/** Adds the entries of runs that ended before `olderThanId` up into one; the balance stays what it was. */
export async function carryCredits(db: Db, organizationId: string, olderThanId: string): Promise<void> {
  await db.query(CARRY_CREDITS([organizationId, olderThanId]));
}
