import type { RunDetailRecord, RunErrorRecord, RunForkRecord, RunRecord } from "../../domain/run-record.ts";
import { json, jsons, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { RUN, toRunRecord } from "./run-columns.ts";

const FIND_RUN = statement({
  name: "find-run",
  text: `SELECT ${RUN.select} FROM runs r WHERE r.organization_id = ANY($1) AND r.id = $2`,
  columns: RUN.columns,
});

/** A run of one of these organizations, as lists show it. */
export async function findRun(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<RunRecord | undefined> {
  const { rows } = await db.query(FIND_RUN([organizationIds, runId]));
  return rows[0] && toRunRecord(rows[0]);
}

const MAX_WAITS = 100;
const MAX_FORKS = 100;

// Named, so that it is planned once: with four tables that takes longer than the look-up itself.
const FIND_RUN_DETAIL = statement({
  name: "find-run-detail",
  text: `SELECT ${RUN.select}, p.data::text AS data, o.output::text AS output, o.error, coalesce(w.waits, '[]') AS waits,
            (SELECT json_build_object('runId', f.from_run_id, 'nodeKey', f.from_node_key) FROM run_forks f
              WHERE f.organization_id = r.organization_id AND f.run_id = r.id) AS "forkedFrom",
            ARRAY(SELECT json_build_object('runId', f.run_id, 'nodeKey', f.from_node_key) FROM run_forks f
                   WHERE f.organization_id = r.organization_id AND f.from_run_id = r.id ORDER BY f.run_id DESC LIMIT ${MAX_FORKS}) AS forks
       FROM runs r
       LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
       LEFT JOIN run_results o ON o.organization_id = r.organization_id AND o.run_id = r.id
       LEFT JOIN LATERAL (
         SELECT json_agg(wait) AS waits FROM (
           SELECT json_strip_nulls(json_build_object('nodeKey', node_key, 'nodeId', node_id, 'kind', kind, 'message', message, 'assignees', details->'assignees', 'form', details->'form',
                                                     'until', iso(due_at))) AS wait
             FROM run_waits
            WHERE organization_id = r.organization_id AND run_id = r.id AND answered_at IS NULL AND kind <> 'container'
              AND r.status IN ('PAUSED', 'EXECUTING', 'WAITING')
            ORDER BY kind <> 'approval', created_at, node_key LIMIT ${MAX_WAITS}
         ) AS open
       ) w ON true
      WHERE r.organization_id = ANY($1) AND r.id = $2`,
  columns: {
    ...RUN.columns,
    data: orNull(text),
    output: orNull(text),
    error: orNull(json<RunErrorRecord>()),
    waits: json<RunDetailRecord["waits"]>(),
    forkedFrom: orNull(json<RunForkRecord>()),
    forks: jsons<RunForkRecord>(),
  },
});

/** The same with what it was given, what came of it and what it waits for. */
export async function findRunDetail(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<RunDetailRecord | undefined> {
  const { rows } = await db.query(FIND_RUN_DETAIL([organizationIds, runId]));
  return rows[0] && toRunRecord(rows[0]);
}
