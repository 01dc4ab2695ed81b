import type { RunNodeRecord } from "../../domain/run-record.ts";
import { assumed, json, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { isUndecodable, RECORD_HEAD } from "../runs/record-head.ts";
import { statement } from "../statement.ts";

/** A record with its values as the JSON that is stored: they may be megabytes that nobody here has to read. */
export type StoredNodeValues = Omit<RunNodeRecord, "input" | "output"> & {
  readonly input: string | null;
  readonly output: string | null;
};

const STORED = `SELECT record FROM (
       SELECT kept.record, 1 AS place FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
        WHERE o.organization_id = $1 AND o.run_id = $2 AND ${RECORD_HEAD} ->> 'nodeKey' = $3
       UNION ALL
       SELECT record, 0 FROM run_nodes WHERE organization_id = $1 AND run_id = $2 AND node_key = $3
     ) AS stored ORDER BY place DESC LIMIT 1`;

type Head = Omit<RunNodeRecord, "input" | "output">;

const FIND_NODE_VALUES = statement({
  text: `SELECT json_strip_nulls(json_build_object('nodeKey', d."nodeKey", 'nodeId', d."nodeId", 'type', d.type, 'status', d.status,
            'startedAt', d."startedAt", 'endedAt', d."endedAt", 'attempts', d.attempts, 'handle', d.handle, 'error', d.error,
            'log', coalesce(d.log, '[]'))) AS head, d.input::text AS input, d.output::text AS output
       FROM (${STORED}) AS found CROSS JOIN LATERAL json_to_record(found.record) AS d("nodeKey" text, "nodeId" text, type text, status text,
            "startedAt" float8, "endedAt" float8, attempts integer, handle text, error json, log json, input json, output json)`,
  columns: { head: json<Head>(), input: orNull(text), output: orNull(text) },
});

const FIND_WHOLE_RECORD = statement({
  text: STORED,
  columns: { record: assumed(json<RunNodeRecord>()) },
});

/** What is stored of one node. */
export async function findNodeValues(
  db: Db,
  organizationId: string,
  runId: string,
  nodeKey: string,
): Promise<StoredNodeValues | undefined> {
  const values = [organizationId, runId, nodeKey];
  try {
    const { rows } = await db.query(FIND_NODE_VALUES(values));
    return rows[0] && { ...rows[0].head, input: rows[0].input, output: rows[0].output };
  } catch (error) {
    if (!isUndecodable(error)) throw error;
    const { rows } = await db.query(FIND_WHOLE_RECORD(values));
    const record = rows[0]?.record;
    return record && { ...record, input: textOf(record.input), output: textOf(record.output) };
  }
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
