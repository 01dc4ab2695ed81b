import { runStatuses } from "@millrace/contract/run-status";
import type { RunErrorRecord, RunNodeRecord } from "../../domain/run-record.ts";
import { bigint, integer, json, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

type Values = Readonly<Record<string, unknown>>;

/** What is too large is not read: the values of one row at a time have to fit into memory. */
const FIND_RECORDED_RUNS = statement({
  text: `SELECT r.id, r.flow_id AS "flowId", r.version, r.status, r.attempt, r.started_at AS "startedAt", s.bytes,
            CASE WHEN s.bytes <= $3 THEN p.trigger END AS trigger, CASE WHEN s.bytes <= $3 THEN p.data END AS data,
            CASE WHEN s.bytes <= $3 THEN p.inputs END AS inputs, CASE WHEN s.bytes <= $3 THEN o.output END AS output,
            CASE WHEN s.bytes <= $3 THEN o.error END AS error,
            CASE WHEN s.bytes <= $3 THEN (SELECT json_agg(k.record) FROM run_records(r.organization_id, r.id) k) END AS records,
            v."values" AS variables
       FROM runs r
       LEFT JOIN organization_variables v ON v.organization_id = r.organization_id AND v.version = r.variables_version
       LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
       LEFT JOIN run_results o ON o.organization_id = r.organization_id AND o.run_id = r.id
       CROSS JOIN LATERAL (
         SELECT coalesce(octet_length(p.trigger::text), 0)::bigint + coalesce(octet_length(p.data::text), 0) + coalesce(octet_length(p.inputs::text), 0)
                + coalesce(octet_length(o.output::text), 0) + coalesce(octet_length(o.nodes::text), 0)
                + coalesce((SELECT sum(octet_length(n.record::text)) FROM run_nodes n
                             WHERE n.organization_id = r.organization_id AND n.run_id = r.id), 0)::bigint AS bytes
       ) s
      WHERE r.organization_id = $1 AND r.id = ANY($2) ORDER BY r.id DESC`,
  columns: {
    id: text,
    flowId: text,
    version: text,
    status: oneOf(...runStatuses),
    attempt: integer,
    startedAt: orNull(timestamp),
    bytes: bigint,
    trigger: orNull(json<Values>()),
    data: orNull(json<Values>()),
    inputs: orNull(json<Values>()),
    output: orNull(json<Values>()),
    error: orNull(json<RunErrorRecord>()),
    records: orNull(json<RunNodeRecord[]>()),
    /** Of the organization, as the run saw them. */
    variables: orNull(json<Values>()),
  },
});

export type RecordedRun = Row<typeof FIND_RECORDED_RUNS>;

/** Runs with all that was recorded of them, newest first; of one larger than `maxBytes` only how large it is. */
export async function findRecordedRuns(
  db: Db,
  organizationId: string,
  runIds: readonly string[],
  maxBytes: number,
): Promise<RecordedRun[]> {
  const { rows } = await db.query(FIND_RECORDED_RUNS([organizationId, runIds, maxBytes]));
  return rows;
}
