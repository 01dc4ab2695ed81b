import { MAX_LOSSES, type RunFailure } from "../../domain/run.ts";
import { assumed, oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { AFTER_ENDED, endedColumns, ENDING_COLUMNS, NOW } from "./ending.ts";

const LEASE_SECONDS = 15;
// A dead process has lost its session lock; the heartbeat must be old too, because a restart of the database, or a
// standby that takes over, frees every lock. Then nobody is judged by the lock who has not been heard since, until
// all had time to take it again. The oldest session of ours tells since when this database is there for us.
const SILENCE_SECONDS = 2.5;
const RECONNECT_SECONDS = 10;
const OLDEST_SESSION = `(SELECT min(s.backend_start) FROM pg_stat_activity s
                          WHERE s.datname = current_database() AND s.application_name LIKE 'millrace %')`;
const PAGE = 200;

/** `lost` selects organization_id and id of the runs and locks them; its parameters begin at $2, after the error. */
export function loseStatement(lost: string) {
  return statement({
    text: `WITH lost AS (${lost}
     ), recovered AS (
       UPDATE runs r SET status = 'WAITING', epoch = r.epoch + 1, recoveries = r.recoveries + 1, process_id = NULL,
              deadline_at = NULL, priority = 1, updated_at = ${NOW},
              active_ms = r.active_ms + greatest(0, extract(epoch FROM ${NOW} - r.claimed_at) * 1000)::bigint
         FROM lost l WHERE r.organization_id = l.organization_id AND r.id = l.id AND r.recoveries + 1 < ${MAX_LOSSES}
       RETURNING r.organization_id, r.id, r.status
     ), ended AS (
       UPDATE runs r SET status = 'CRASHED', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, recoveries = r.recoveries + 1, ${ENDING_COLUMNS}
         FROM lost l WHERE r.organization_id = l.organization_id AND r.id = l.id AND r.recoveries + 1 >= ${MAX_LOSSES}
       RETURNING ${endedColumns({ error: "$1::json" })}
     ), ${AFTER_ENDED}
     SELECT organization_id AS "organizationId", id, status FROM recovered
     UNION ALL SELECT organization_id, id, status FROM ended`,
    columns: { organizationId: text, id: text, status: assumed(oneOf("WAITING", "CRASHED")) },
  });
}

const REAP_RUNS = loseStatement(`
       SELECT r.organization_id, r.id FROM runs r JOIN (
         SELECT e.process_id AS id FROM (SELECT DISTINCT process_id FROM runs WHERE process_id IS NOT NULL) e
           LEFT JOIN processes p ON p.id = e.process_id
          WHERE p.id IS NULL
             OR p.heartbeat_at < ${NOW} - make_interval(secs => ${LEASE_SECONDS})
             OR (p.heartbeat_at < ${NOW} - make_interval(secs => ${SILENCE_SECONDS})
                 AND (p.heartbeat_at > ${OLDEST_SESSION}
                      OR ${OLDEST_SESSION} < clock_timestamp() - make_interval(secs => ${RECONNECT_SECONDS}))
                 AND NOT EXISTS (
                   SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
                      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                      AND (l.classid::bigint << 32 | l.objid::bigint) = p.lock_key))
       ) gone ON gone.id = r.process_id
        WHERE r.status = 'EXECUTING' ORDER BY r.organization_id, r.id LIMIT ${PAGE} FOR UPDATE OF r SKIP LOCKED`);

export type Reaped = Row<typeof REAP_RUNS>;

/** Takes runs from processes that are gone. Rows that somebody else is just writing are left for the next round. */
export async function reapRuns(db: Db): Promise<Reaped[]> {
  const error: RunFailure = {
    name: "WorkerLost",
    message: `The worker was lost ${MAX_LOSSES} times while it executed this run.`,
  };
  const { rows } = await db.query(REAP_RUNS([JSON.stringify(error)]));
  return rows;
}

const GIVE_UP_RUN = loseStatement(`
       SELECT organization_id, id FROM runs
        WHERE organization_id = $2 AND id = $3 AND epoch = $4 AND status = 'EXECUTING' FOR UPDATE`);

/** Gives up a run that its worker cannot execute: that counts like a lost worker, so that it does not go on for ever. */
export async function giveUpRun(
  db: Db,
  { organizationId, id, epoch }: { organizationId: string; id: string; epoch: number },
): Promise<void> {
  const error: RunFailure = {
    name: "ExecutionFailed",
    message: `The run could not be executed in ${MAX_LOSSES} tries, for a reason of the service and not of the flow.`,
  };
  await db.query(GIVE_UP_RUN([JSON.stringify(error), organizationId, id, epoch]));
}
