import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface FlowVersionRow {
  readonly organizationId: string;
  readonly flowId: string;
  readonly version: string;
  readonly hash: string;
  readonly graph: unknown;
  /** What the version says beside it. */
  readonly settings: object;
  readonly author?: string | undefined;
  readonly note?: string | undefined;
}

const PUT_FLOW_VERSION = statement({
  text: `INSERT INTO flow_versions AS known (organization_id, flow_id, version, hash, graph, ordered_graph, author, note, settings)
     VALUES ($1, $2, $3, $4, $5::text::jsonb, $5::text::json, $6, $7, nullif($8::text, '{}')::json)
     ON CONFLICT (organization_id, flow_id, version) DO UPDATE SET graph = $5::text::jsonb, ordered_graph = $5::text::json,
       created_at = CASE WHEN starts_with(known.version, 'test-') THEN now() ELSE known.created_at END
     WHERE known.hash = $4 AND (starts_with(known.version, 'test-')
       OR known.graph <> $5::text::jsonb OR known.ordered_graph::text IS DISTINCT FROM $5::text)`,
});

/**
 * Adds a version, or brings the canvas of a known one up to date; says whether anything changed. A test version is as
 * young as its last use, so that it is not removed before its run is there.
 */
export async function putFlowVersion(db: Db, row: FlowVersionRow): Promise<boolean> {
  const { rowCount } = await db.query(
    PUT_FLOW_VERSION([
      row.organizationId,
      row.flowId,
      row.version,
      row.hash,
      JSON.stringify(row.graph),
      row.author,
      row.note,
      JSON.stringify(row.settings),
    ]),
  );
  return rowCount !== 0;
}
