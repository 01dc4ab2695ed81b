import type { ClaimedRun } from "../../domain/run.ts";
import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { CLAIMED_RUN, CLAIMED_RUN_COLUMNS, toClaimedRun } from "./claimed-run.ts";

const DISPATCH_RUNS = statement({
  name: "dispatch-runs",
  text: `SELECT ${CLAIMED_RUN} FROM dispatch_queue($1)`,
  columns: CLAIMED_RUN_COLUMNS,
});

/** Gives the free slots of an organization to its queue; the first `claim` runs come back as this process's own. */
export async function dispatchRuns(
  db: Db,
  organizationId: string,
  processId: string,
  claim: number,
): Promise<ClaimedRun[]> {
  const { rows } = await db.query(
    DISPATCH_RUNS([{ organization_id: organizationId, process_id: processId, claim }]),
  );
  return rows.map(toClaimedRun);
}

const FIND_ORGANIZATIONS_TO_DISPATCH = statement({
  text: `WITH RECURSIVE queued AS (
       (SELECT organization_id FROM runs WHERE status = 'WAITING' AND stage = 'queued' ORDER BY organization_id, priority DESC, id LIMIT 1)
       UNION ALL
       SELECT (SELECT r.organization_id FROM runs r
                WHERE r.status = 'WAITING' AND r.stage = 'queued' AND r.organization_id > queued.organization_id
                ORDER BY r.organization_id, r.priority DESC, r.id LIMIT 1)
         FROM queued WHERE queued.organization_id IS NOT NULL
     )
     SELECT o.id FROM queued JOIN organizations o ON o.id = queued.organization_id
      WHERE NOT o.suspended AND o.concurrency_limit > (SELECT count(*) FROM runs r WHERE r.organization_id = o.id AND r.holds_slot)`,
  columns: { id: text },
});

/** Organizations whose queue waits although a slot is free: normally none, because whoever frees a slot dispatches. */
export async function findOrganizationsToDispatch(db: Db): Promise<string[]> {
  const { rows } = await db.query(FIND_ORGANIZATIONS_TO_DISPATCH());
  return rows.map(({ id }) => id);
}
