import type { RunStatus } from "@millrace/contract/run-status";
import { bigint, float, json, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

/** How far is counted, which takes about a millisecond. Whoever stands further back is told so. */
export const MAX_COUNTED = 5_000;
export const MAX_SLOTS_COUNTED = 1_000;
const MAX_HOLDERS_READ = 100;
const MAX_HOLDERS = 10;
const RECENT_RUNS = 20;

export interface SlotHolder {
  readonly runId: string;
  readonly flowId: string;
  readonly status: RunStatus;
  readonly since: string;
}

export interface PlaceInQueue {
  /** How many are before it; counting ends at `MAX_COUNTED`. */
  readonly before: number;
  /** Slots in use, counted to 1,000. */
  readonly held: number;
  readonly holders: readonly SlotHolder[];
  /** How long runs of the flows took that hold slots now; NULL where none has completed yet. */
  readonly typicalMs: number | null;
}

/** In the order of the index and with a limit: otherwise a long queue makes a walk over the table look cheaper. */
const counted = (before: string) => `(SELECT count(*) FROM (
         SELECT FROM runs b WHERE b.organization_id = a.organization_id AND b.status = 'WAITING' AND b.stage = 'queued' AND ${before}
          ORDER BY b.organization_id, b.priority DESC, b.id LIMIT ${MAX_COUNTED}) AS before)`;

// By the run's id alone, so that nobody has to look at the run first.
const FIND_PLACE_IN_QUEUE = statement({
  name: "find-place-in-queue",
  text: `WITH asked AS MATERIALIZED (
       SELECT r.organization_id, r.priority, r.id FROM runs r
        WHERE r.organization_id = ANY($1) AND r.id = $2 AND r.status = 'WAITING' AND r.stage = 'queued'
     ), holders AS MATERIALIZED (
       SELECT h.organization_id, h.id, h.flow_id, h.status, coalesce(h.claimed_at, h.updated_at) AS since
         FROM asked a JOIN runs h ON h.organization_id = a.organization_id AND h.holds_slot LIMIT ${MAX_HOLDERS_READ}
     )
     SELECT ${counted(`b.priority > a.priority`)} + ${counted(`b.priority = a.priority AND b.id < a.id`)} AS before,
            (SELECT count(*) FROM (SELECT FROM runs h WHERE h.organization_id = a.organization_id AND h.holds_slot LIMIT ${MAX_SLOTS_COUNTED}) AS slots) AS held,
            coalesce((SELECT json_agg(json_build_object('runId', o.id, 'flowId', o.flow_id, 'status', o.status, 'since', iso(o.since)))
               FROM (SELECT * FROM holders ORDER BY since, id LIMIT ${MAX_HOLDERS}) AS o), '[]') AS holders,
            (SELECT avg(extract(epoch FROM t.completed_at - t.started_at) * 1000)::float8
               FROM (SELECT organization_id, flow_id FROM holders GROUP BY organization_id, flow_id ORDER BY count(*) DESC LIMIT 5) AS f
              CROSS JOIN LATERAL (
                SELECT d.completed_at, d.started_at FROM runs d
                 WHERE d.organization_id = f.organization_id AND d.flow_id = f.flow_id AND d.status = 'COMPLETED'
                 ORDER BY d.organization_id, d.flow_id, d.status, d.id DESC LIMIT ${RECENT_RUNS}) AS t) AS "typicalMs"
       FROM asked a`,
  columns: {
    before: bigint,
    held: bigint,
    holders: json<readonly SlotHolder[]>(),
    typicalMs: orNull(float),
  },
});

/** Undefined where the run is not queued. */
export async function findPlaceInQueue(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<PlaceInQueue | undefined> {
  const { rows } = await db.query(FIND_PLACE_IN_QUEUE([organizationIds, runId]));
  return rows[0];
}
