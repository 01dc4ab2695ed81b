import type { RunDetailRecord, RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { RUN_COLUMNS, type RunRow, toRunRecord } from "./run-columns.ts";

/** A run of one of these organizations, as lists show it. */
export async function findRun(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<RunRecord | undefined> {
  const { rows } = await db.query<RunRow>({
    name: "find-run",
    text: `SELECT ${RUN_COLUMNS} FROM runs r WHERE r.organization_id = ANY($1) AND r.id = $2`,
    values: [organizationIds, runId],
  });
  return rows[0] && toRunRecord(rows[0]);
}

const MAX_WAITS = 100;

/** The same with what it was given, what came of it and what it waits for. */
export async function findRunDetail(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<RunDetailRecord | undefined> {
  const { rows } = await db.query<Omit<RunDetailRecord, "createdAt">>({
    // Named, so that it is planned once: with four tables that takes longer than the look-up itself.
    name: "find-run-detail",
    text: `SELECT ${RUN_COLUMNS}, p.data::text AS data, o.output::text AS output, o.error, coalesce(w.waits, '[]') AS waits
       FROM runs r
       LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
       LEFT JOIN run_results o ON o.organization_id = r.organization_id AND o.run_id = r.id
       LEFT JOIN LATERAL (
         SELECT json_agg(wait) AS waits FROM (
           SELECT json_strip_nulls(json_build_object('nodeKey', node_key, 'nodeId', node_id, 'kind', kind, 'message', message,
                                                     'until', iso(due_at))) AS wait
             FROM run_waits
            WHERE organization_id = r.organization_id AND run_id = r.id AND answered_at IS NULL AND kind <> 'container'
              AND r.status IN ('PAUSED', 'EXECUTING', 'WAITING')
            ORDER BY kind <> 'approval', created_at, node_key LIMIT ${MAX_WAITS}
         ) AS open
       ) w ON true
      WHERE r.organization_id = ANY($1) AND r.id = $2`,
    values: [organizationIds, runId],
  });
  return rows[0] && toRunRecord(rows[0]);
}
