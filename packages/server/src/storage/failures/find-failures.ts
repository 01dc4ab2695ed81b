import type { RunFailure } from "../../domain/run.ts";
import { boolean, json, orNull, smallint, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const PAGE = 100;

const FIND_FAILURES = statement({
  text: `SELECT f.organization_id AS "organizationId", f.run_id AS "runId", f.flow_id AS "handlerId", f.noted_at AS "notedAt",
            r.flow_id AS "flowId", r.depth, r.is_test AS "isTest", o.error
       FROM run_failures f
       JOIN runs r ON r.organization_id = f.organization_id AND r.id = f.run_id
       LEFT JOIN run_results o ON o.organization_id = f.organization_id AND o.run_id = f.run_id
      WHERE f.next_at <= millrace_now() ORDER BY f.next_at LIMIT ${PAGE}`,
  columns: {
    organizationId: text,
    runId: text,
    handlerId: text,
    notedAt: timestamp,
    flowId: text,
    depth: smallint,
    isTest: boolean,
    error: orNull(json<RunFailure>()),
  },
});

export type NotedFailure = Row<typeof FIND_FAILURES>;

/** Runs that ended badly and for which another flow is to be started. */
export async function findFailures(db: Db): Promise<NotedFailure[]> {
  const { rows } = await db.query(FIND_FAILURES());
  return rows;
}
