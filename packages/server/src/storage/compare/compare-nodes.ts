import { nodeStatuses } from "@millrace/contract/run-status";
import { assumed, boolean, float, integer, json, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { isUndecodable, RECORD_HEAD } from "../runs/record-head.ts";
import { type Row, statement } from "../statement.ts";

export interface RunName {
  readonly organizationId: string;
  readonly id: string;
}

const MAX_NODES = 5_000;

/** Values are compared as texts, and only where the whole rest of the record differs. */
function compareStatement({ handle, input, output }: Record<"handle" | "input" | "output", string>) {
  const side = (parameters: string) => `(
       SELECT r.node_key, r.record, ${RECORD_HEAD} AS head,
              substr(r.record::text, strpos(r.record::text, ',"attempts":')) AS rest
         FROM run_records(${parameters}) r)`;
  const sinceFirst = (one: string) =>
    `(${one}.head ->> 'startedAt')::float8 - min((${one}.head ->> 'startedAt')::float8) OVER ()`;
  return statement({
    text: `SELECT coalesce(a.node_key, b.node_key) AS "nodeKey", coalesce(a.head, b.head) ->> 'nodeId' AS "nodeId",
            coalesce(a.head, b.head) ->> 'type' AS type, a.head ->> 'status' AS "aStatus", b.head ->> 'status' AS "bStatus",
            (a.head ->> 'startedAt')::float8 AS "aStartedAt", (a.head ->> 'endedAt')::float8 AS "aEndedAt",
            (b.head ->> 'startedAt')::float8 AS "bStartedAt", (b.head ->> 'endedAt')::float8 AS "bEndedAt",
            substring(a.rest FROM '^,"attempts":(\\d+)')::integer AS "aAttempts", substring(b.rest FROM '^,"attempts":(\\d+)')::integer AS "bAttempts",
            ${handle.replaceAll("@", "a")} AS "aHandle", ${handle.replaceAll("@", "b")} AS "bHandle",
            CASE WHEN a.rest = b.rest THEN true ELSE ${input} END AS "sameInput",
            CASE WHEN a.rest = b.rest THEN true ELSE ${output} END AS "sameOutput",
            (count(*) OVER ())::integer AS total
       FROM ${side("$1, $2")} a FULL JOIN ${side("$3, $4")} b ON b.node_key = a.node_key
      ORDER BY coalesce(${sinceFirst("a")}, ${sinceFirst("b")}), 1 LIMIT ${MAX_NODES}`,
    columns: {
      nodeKey: assumed(text),
      nodeId: assumed(text),
      type: assumed(text),
      aStatus: assumed(orNull(oneOf(...nodeStatuses))),
      bStatus: assumed(orNull(oneOf(...nodeStatuses))),
      aStartedAt: orNull(float),
      aEndedAt: orNull(float),
      bStartedAt: orNull(float),
      bEndedAt: orNull(float),
      aAttempts: orNull(integer),
      bAttempts: orNull(integer),
      aHandle: orNull(text),
      bHandle: orNull(text),
      sameInput: boolean,
      sameOutput: boolean,
      total: integer,
    },
  });
}

const same = (name: string) =>
  `(a.record -> '${name}')::text IS NOT DISTINCT FROM (b.record -> '${name}')::text`;

const COMPARE_NODES = compareStatement({
  handle: `@.record ->> 'handle'`,
  input: same("input"),
  output: same("output"),
});
const COMPARE_WITHOUT_VALUES = compareStatement({ handle: `NULL::text`, input: "false", output: "false" });

export type NodePair = Row<typeof COMPARE_NODES>;

/** The nodes of two runs side by side, by time; those of a run that have no partner have nothing beside them. */
export async function compareNodes(db: Db, a: RunName, b: RunName): Promise<NodePair[]> {
  const runs = [a.organizationId, a.id, b.organizationId, b.id];
  try {
    return (await db.query(COMPARE_NODES(runs))).rows;
  } catch (error) {
    if (!isUndecodable(error)) throw error;
    // Somewhere stands a text that PostgreSQL cannot take apart: all that is not equal letter by letter counts as different.
    return (await db.query(COMPARE_WITHOUT_VALUES(runs))).rows;
  }
}

const READ_VALUES = statement({
  text: `SELECT "nodeKey", input, output, error FROM (
       SELECT r.node_key AS "nodeKey", r.record -> 'input' AS input, r.record -> 'output' AS output, r.record -> 'error' AS error,
              sum(octet_length(r.record::text)) OVER (ORDER BY array_position($3::text[], r.node_key)) AS characters
         FROM run_records($1, $2) r WHERE r.node_key = ANY($3)) AS by_place
      WHERE characters <= $4`,
  columns: {
    nodeKey: assumed(text),
    input: orNull(json<unknown>()),
    output: orNull(json<unknown>()),
    error: orNull(json<unknown>()),
  },
});

export type NodeValues = Row<typeof READ_VALUES>;

/** Values of these nodes in this order, until they are `maxCharacters` together. */
export async function readNodeValues(
  db: Db,
  { organizationId, id }: RunName,
  nodeKeys: readonly string[],
  maxCharacters: number,
): Promise<ReadonlyMap<string, NodeValues>> {
  if (nodeKeys.length === 0) return new Map();
  try {
    const { rows } = await db.query(READ_VALUES([organizationId, id, nodeKeys, maxCharacters]));
    return new Map(rows.map((row) => [row.nodeKey, row]));
  } catch (error) {
    if (isUndecodable(error)) return new Map();
    throw error;
  }
}
