import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { NOW } from "./ending.ts";

const RELEASE = `UPDATE runs r SET
       status = 'WAITING', epoch = r.epoch + 1, process_id = NULL, deadline_at = NULL, priority = 1, updated_at = ${NOW},
       active_ms = r.active_ms + greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000)::bigint`;

const RELEASE_RUNS = statement({
  text: `${RELEASE}
     FROM unnest($2::text[], $3::text[], $4::integer[]) AS a(organization_id, id, epoch)
     WHERE r.organization_id = a.organization_id AND r.id = a.id AND r.epoch = a.epoch AND r.status = 'EXECUTING' AND r.process_id = $1`,
});

/** Gives runs back without costing them anything: a process that stops, or finds it owns what it does not run. */
export async function releaseRuns(
  db: Db,
  processId: string,
  runs: readonly { readonly organizationId: string; readonly id: string; readonly epoch: number }[],
): Promise<number> {
  const { rowCount } = await db.query(
    RELEASE_RUNS([
      processId,
      runs.map(({ organizationId }) => organizationId),
      runs.map(({ id }) => id),
      runs.map(({ epoch }) => epoch),
    ]),
  );
  return rowCount ?? 0;
}

const RELEASE_RUNS_OF = statement({
  text: `${RELEASE} WHERE r.process_id = $1 AND r.status = 'EXECUTING'`,
});

/** All that a process executes, for one that cannot do so itself any more. */
export async function releaseRunsOf(db: Db, processId: string): Promise<void> {
  await db.query(RELEASE_RUNS_OF([processId]));
}
