import { bigint, float, integer, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const MAX_COUNTED = 1_000_000;
const MAX_PAUSED = 100_000;

/** How many there are, and which is the oldest by id; from an index that holds only such rows. */
const waiting = (stage: string) => `
  SELECT count(*)::integer AS count,
         -- An id has 28 characters, and what is behind it does not change the order of different ones.
         min(w.id || w.organization_id) AS oldest
    FROM (SELECT organization_id, id FROM runs WHERE status = 'WAITING' AND stage = '${stage}' LIMIT ${MAX_COUNTED}) AS w`;

const age = (from: string) => `
  (SELECT greatest(0, extract(epoch FROM millrace_now() - r.updated_at))::float8 FROM runs r
    WHERE r.organization_id = substr(${from}.oldest, 29) AND r.id = left(${from}.oldest, 28))`;

const READ_SERVICE_FIGURES = statement({
  text: `SELECT queued.count AS queued, ${age("queued")} AS "queuedAge", ready.count AS ready, ${age("ready")} AS "readyAge",
            (SELECT count(*) FROM runs WHERE status = 'WAITING' AND stage = 'delayed')::integer AS delayed,
            (SELECT count(*) FROM runs WHERE process_id IS NOT NULL)::integer AS executing,
            (SELECT coalesce(sum(p.count), 0) FROM organizations o CROSS JOIN LATERAL (
               SELECT count(*) AS count FROM (SELECT FROM runs WHERE organization_id = o.id AND status = 'PAUSED' LIMIT ${MAX_PAUSED}) AS paused
             ) AS p)::integer AS paused,
            (SELECT count(*) FROM runs WHERE holds_slot)::integer AS "slotsInUse",
            (SELECT coalesce(sum(concurrency_limit), 0) FROM organizations WHERE NOT suspended)::bigint AS "slotsLimit",
            (SELECT count(*) FROM event_deliveries WHERE state = 'retrying')::integer AS retrying,
            (SELECT count(*) FROM processes WHERE role <> 'api' AND heartbeat_at > millrace_now() - interval '15 seconds')::integer AS processes
       FROM (${waiting("queued")}) AS queued, (${waiting("admitted")}) AS ready`,
  columns: {
    queued: integer,
    queuedAge: orNull(float),
    ready: integer,
    readyAge: orNull(float),
    delayed: integer,
    executing: integer,
    paused: integer,
    slotsInUse: integer,
    slotsLimit: bigint,
    retrying: integer,
    processes: integer,
  },
});

export type ServiceFigures = Row<typeof READ_SERVICE_FIGURES>;

/** Sums over all organizations; nobody's name is in them. */
export async function readServiceFigures(db: Db): Promise<ServiceFigures> {
  return (await db.query(READ_SERVICE_FIGURES())).rows[0]!;
}
