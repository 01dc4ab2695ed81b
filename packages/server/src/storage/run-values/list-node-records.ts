import { nodeStatuses } from "@millrace/contract/run-status";
import type { NodeChange } from "../../domain/node-changes.ts";
import type { NodeScope } from "../../domain/node-scope.ts";
import { assumed, float, integer, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { isUndecodable, RECORD_HEAD } from "../runs/record-head.ts";

/** A page has whole rounds, and no further one where it holds so many nodes. */
const MAX_NODES = 5_000;

/** `details` is what is read of the records that are shown, in one go: their values may be large. */
function listStatement(direction: "ASC" | "DESC", details: string) {
  const beyond = direction === "ASC" ? ">" : "<";
  return statement({
    text: `WITH stored AS (
       SELECT record, 0 AS place FROM run_nodes
        WHERE organization_id = $1 AND run_id = $2 AND starts_with(node_key, $4) AND (strpos(node_key, '[') > 0) = $6
       UNION ALL
       SELECT kept.record, 1 FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
        WHERE o.organization_id = $1 AND o.run_id = $2
     ), known AS (
       SELECT head.*, record, place FROM stored CROSS JOIN LATERAL
              json_to_record(${RECORD_HEAD}) AS head("nodeKey" text, "nodeId" text, type text, status text, "startedAt" float8, "endedAt" float8)
       UNION ALL
       SELECT live.*, NULL, 0 FROM json_to_recordset($3::json)
              AS live("nodeKey" text, "nodeId" text, type text, status text, "startedAt" float8, "endedAt" float8)
       UNION ALL
       SELECT w.node_key, w.node_id, w.kind, 'PAUSED', extract(epoch FROM w.created_at)::float8 * 1000, NULL, NULL, 0
         FROM run_waits w JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE w.organization_id = $1 AND w.run_id = $2 AND w.answered_at IS NULL AND w.kind <> 'container'
          AND r.status IN ('WAITING', 'EXECUTING', 'PAUSED')
     ), in_scope AS (
       SELECT *, substr("nodeKey", length($4) + 1) AS own_key, CASE WHEN status <> 'EXECUTING' THEN "endedAt" END AS "ended"
         FROM known WHERE starts_with("nodeKey", $4) AND (strpos("nodeKey", '[') > 0) = $6
     ), of_nodes AS (
       -- What came with the end of the run is later than what was known on the way; of that the latest counts.
       SELECT DISTINCT ON ("nodeKey") *, coalesce(substring(own_key FROM '\\[(\\d+)\\]$')::integer, 0) AS round
         FROM in_scope WHERE $5::text[] IS NULL OR (own_key ~ '^[^.[]+\\[\\d+\\]$' AND split_part(own_key, '[', 1) = ANY($5))
        ORDER BY "nodeKey", place DESC, coalesce("ended", "startedAt") DESC, record IS NULL
     ), asked AS (
       SELECT * FROM of_nodes WHERE ($7::text[] IS NULL OR status = ANY($7)) AND ($8::integer IS NULL OR round = $8)
     ), rounds AS (
       SELECT round, count(*) AS nodes, sum(count(*)) OVER (ORDER BY round ${direction}) AS so_far, count(*) OVER () AS in_direction
         FROM asked WHERE $9::integer IS NULL OR round ${beyond} $9 GROUP BY round
     ), page AS (
       SELECT round, in_direction FROM rounds WHERE so_far - nodes < ${MAX_NODES} ORDER BY round ${direction} LIMIT $10
     )
     SELECT n."nodeKey", n."nodeId", n.type, n.status, n."startedAt", n."ended" AS "endedAt", n.round,
            detail.attempts, detail.handle, detail."inputBytes", detail."outputBytes", octet_length(n.record::text) AS "recordBytes", page.in_direction::integer AS "inDirection",
            (SELECT count(DISTINCT round) FROM asked)::integer AS rounds
       FROM page JOIN asked n ON n.round = page.round LEFT JOIN LATERAL (${details}) AS detail ON n.record IS NOT NULL
      ORDER BY n.round, n."startedAt", n."nodeKey"`,
    columns: {
      nodeKey: assumed(text),
      nodeId: assumed(text),
      type: assumed(text),
      status: assumed(oneOf(...nodeStatuses)),
      startedAt: assumed(float),
      endedAt: orNull(float),
      round: integer,
      attempts: orNull(integer),
      handle: orNull(text),
      inputBytes: orNull(integer),
      outputBytes: orNull(integer),
      recordBytes: orNull(integer),
      /** Rounds of this page and of all behind it. */
      inDirection: integer,
      rounds: integer,
    },
  });
}

const DETAILS = `SELECT attempts, handle, octet_length(input::text) AS "inputBytes", octet_length(output::text) AS "outputBytes"
  FROM json_to_record(n.record) AS d(attempts integer, handle text, input json, output json)`;
/** Somewhere in a record stands a text that PostgreSQL cannot take apart. */
const DETAILS_OF_ODD_RECORDS = `SELECT substring(n.record::text FROM ',"attempts":(\\d+)')::integer AS attempts, NULL::text AS handle,
  NULL::integer AS "inputBytes", NULL::integer AS "outputBytes"`;

const LISTS = {
  onward: { usual: listStatement("ASC", DETAILS), odd: listStatement("ASC", DETAILS_OF_ODD_RECORDS) },
  back: { usual: listStatement("DESC", DETAILS), odd: listStatement("DESC", DETAILS_OF_ODD_RECORDS) },
};

export type NodeRecordRow = Row<typeof LISTS.onward.usual>;

export interface NodeRecordsRequest {
  readonly scope: NodeScope;
  readonly statuses: readonly string[] | undefined;
  readonly round: number | undefined;
  /** The page has the rounds after this one, or before it. */
  readonly from: number | undefined;
  readonly direction: "onward" | "back";
  readonly maxRounds: number;
  /** What the process that asks knows better than the database. */
  readonly live: readonly NodeChange[];
}

/**
 * What the nodes of a run did or do, without their values, by round and by time. Sizes are told so that somebody can
 * decide which values to read.
 */
export async function listNodeRecords(
  db: Db,
  organizationId: string,
  runId: string,
  { scope, statuses, round, from, direction, maxRounds, live }: NodeRecordsRequest,
): Promise<NodeRecordRow[]> {
  const values = [
    organizationId,
    runId,
    JSON.stringify(live),
    scope.prefix,
    scope.nodeIds,
    scope.hasRounds,
    statuses,
    round,
    from,
    maxRounds,
  ];
  const list = LISTS[direction];
  try {
    return (await db.query(list.usual(values))).rows;
  } catch (error) {
    if (!isUndecodable(error)) throw error;
    return (await db.query(list.odd(values))).rows;
  }
}
