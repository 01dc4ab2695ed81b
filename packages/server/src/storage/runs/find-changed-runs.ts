import { runStatuses } from "@millrace/contract/run-status";
import { assumed, oneOf, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_CHANGED_RUNS = statement({
  text: `SELECT known.organization_id AS "organizationId", known.id, r.status, r.updated_at AS "updatedAt"
       FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS known(organization_id, id, status, updated_at)
       CROSS JOIN LATERAL (
         SELECT status, updated_at FROM runs WHERE organization_id = known.organization_id AND id = known.id LIMIT 1
       ) r
      WHERE r.status <> known.status OR date_trunc('milliseconds', r.updated_at) <> known.updated_at`,
  columns: {
    organizationId: assumed(text),
    id: assumed(text),
    status: oneOf(...runStatuses),
    updatedAt: timestamp,
  },
});

/** What somebody was last told about a run. */
export type KnownRun = Row<typeof FIND_CHANGED_RUNS>;

/** Those of the known runs that have moved on since; the rest costs an index look-up and no answer. */
export async function findChangedRuns(db: Db, known: readonly KnownRun[]): Promise<KnownRun[]> {
  const { rows } = await db.query(
    FIND_CHANGED_RUNS([
      known.map((run) => run.organizationId),
      known.map((run) => run.id),
      known.map((run) => run.status),
      known.map((run) => run.updatedAt.toISOString()),
    ]),
  );
  return rows;
}
