import type { RunFailure } from "../../domain/run.ts";
import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { AFTER_ENDED, endedColumns, ENDING_COLUMNS, NOW } from "./ending.ts";

// The worker ends its own runs in time; this is for workers that hang or are gone.
const GRACE_SECONDS = 5;
const PAGE = 200;

const TIME_OUT_RUNS = statement({
  text: `WITH late AS (
       SELECT organization_id, id FROM runs
        WHERE process_id IS NOT NULL AND status = 'EXECUTING' AND deadline_at < ${NOW} - make_interval(secs => ${GRACE_SECONDS})
        LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
     ), ended AS (
       UPDATE runs r SET status = 'TIMED_OUT', epoch = r.epoch + 1, finished_epoch = r.epoch + 1, ${ENDING_COLUMNS}
         FROM late l WHERE r.organization_id = l.organization_id AND r.id = l.id
       RETURNING ${endedColumns({ error: "$1::json" })}
     ), ${AFTER_ENDED}
     SELECT organization_id AS "organizationId", id FROM ended`,
  columns: { organizationId: text, id: text },
});

export async function timeOutRuns(db: Db): Promise<Row<typeof TIME_OUT_RUNS>[]> {
  const error: RunFailure = { name: "TimedOut", message: "The run exceeded its maxDuration." };
  const { rows } = await db.query(TIME_OUT_RUNS([JSON.stringify(error)]));
  return rows;
}
