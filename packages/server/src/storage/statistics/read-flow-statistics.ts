import { assumed, float, integer, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { RECORD_HEAD } from "../runs/record-head.ts";

const MAX_RUNS = 10_000;
const MAX_SAMPLED_RUNS = 500;
/** Of stored records, compressed; what a run keeps is read as a whole or not at all. */
const MAX_SAMPLED_BYTES = 20_000_000;
const MAX_RECORDS = 100_000;

/** The newest that have ended in one way or another, each way along the index. */
const ended = (maxRuns: number) => `
  SELECT r.id, r.status, r.started_at, r.completed_at
    FROM unnest(ARRAY['COMPLETED', 'FAILED', 'CRASHED', 'TIMED_OUT']) AS way(status)
    CROSS JOIN LATERAL (SELECT id, status, started_at, completed_at FROM runs
                         WHERE organization_id = $1 AND flow_id = $2 AND status = way.status AND id >= $3 AND id < $4
                         ORDER BY id DESC LIMIT ${maxRuns}) AS r
   ORDER BY r.id DESC LIMIT ${maxRuns}`;

const READ_RUN_FIGURES = statement({
  text: `SELECT count(*)::integer AS ended, count(*) FILTER (WHERE status <> 'COMPLETED')::integer AS failed,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - started_at)::float8) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - started_at)::float8) AS p95
       FROM (${ended(MAX_RUNS)}) AS run`,
  columns: { ended: integer, failed: integer, p50: orNull(float), p95: orNull(float) },
});

const READ_NODE_FIGURES = statement({
  text: `WITH sampled AS (
       SELECT id, kept_bytes, sum(kept_bytes) OVER (ORDER BY id DESC) AS so_far FROM (
         SELECT run.id, coalesce((SELECT pg_column_size(o.nodes) FROM run_results o WHERE o.organization_id = $1 AND o.run_id = run.id), 0)
                        AS kept_bytes
           FROM (${ended(MAX_SAMPLED_RUNS)}) AS run) AS sized
     ), runs_read AS (
       SELECT id FROM sampled WHERE so_far <= ${MAX_SAMPLED_BYTES}
     ), records AS (
       SELECT s.id, kept.record FROM runs_read s JOIN run_results o ON o.organization_id = $1 AND o.run_id = s.id
              CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
       UNION ALL
       -- The head stands within the first characters; what is behind it need not be unpacked.
       SELECT s.id, (split_part(left(n.record::text, 2000), ',"attempts":', 1) || ',"attempts":0}')::json
         FROM runs_read s JOIN run_nodes n ON n.organization_id = $1 AND n.run_id = s.id
        LIMIT ${MAX_RECORDS}
     )
     SELECT head."nodeId", min(head.type) AS type, count(*)::integer AS executions,
            count(*) FILTER (WHERE head.status IN ('FAILED', 'TIMED_OUT'))::integer AS failed,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY (head."endedAt" - head."startedAt") / 1000) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY (head."endedAt" - head."startedAt") / 1000) AS p95,
            (SELECT count(*) FROM runs_read)::integer AS "sampledRuns"
       FROM records CROSS JOIN LATERAL json_to_record(${RECORD_HEAD})
            AS head("nodeId" text, type text, status text, "startedAt" float8, "endedAt" float8)
      WHERE head.status IN ('COMPLETED', 'FAILED', 'TIMED_OUT')
      GROUP BY head."nodeId" ORDER BY head."nodeId"`,
  columns: {
    nodeId: assumed(text),
    type: assumed(text),
    executions: integer,
    failed: integer,
    p50: orNull(float),
    p95: orNull(float),
    sampledRuns: integer,
  },
});

export type RunFigures = Row<typeof READ_RUN_FIGURES>;
export type NodeFigures = Row<typeof READ_NODE_FIGURES>;

interface FlowTime {
  readonly organizationId: string;
  readonly flowId: string;
  readonly lowestId: string;
  readonly endId: string;
}

export async function readRunFigures(
  db: Db,
  { organizationId, flowId, lowestId, endId }: FlowTime,
): Promise<RunFigures> {
  const { rows } = await db.query(READ_RUN_FIGURES([organizationId, flowId, lowestId, endId]));
  return rows[0]!;
}

/** Out of the newest runs, as far as what they keep is not too large to be read. */
export async function readNodeFigures(
  db: Db,
  { organizationId, flowId, lowestId, endId }: FlowTime,
): Promise<NodeFigures[]> {
  return (await db.query(READ_NODE_FIGURES([organizationId, flowId, lowestId, endId]))).rows;
}
