import { runStatuses } from "@millrace/contract/run-status";
import { bigint, boolean, integer, json, oneOf, orNull, smallint, text, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_RUN_TO_FORK = statement({
  text: `SELECT r.organization_id AS "organizationId", r.id, r.flow_id AS "flowId", r.version, r.status, r.tags, r.is_test AS "isTest",
            r.max_attempts AS "maxAttempts", r.max_duration_ms AS "maxDurationMs", r.depth, p.inputs
       FROM runs r LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
      WHERE r.organization_id = ANY($1) AND r.id = $2`,
  columns: {
    organizationId: text,
    id: text,
    flowId: text,
    version: text,
    status: oneOf(...runStatuses),
    tags: texts,
    isTest: boolean,
    maxAttempts: integer,
    maxDurationMs: bigint,
    depth: smallint,
    inputs: orNull(json<Readonly<Record<string, unknown>>>()),
  },
});

export type RunToFork = Row<typeof FIND_RUN_TO_FORK>;

/** A run of one of these organizations, with what its fork takes over. */
export async function findRunToFork(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<RunToFork | undefined> {
  const { rows } = await db.query(FIND_RUN_TO_FORK([organizationIds, runId]));
  return rows[0];
}
