import { orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_VERSION_TIMES = statement({
  text: `SELECT v.organization_id AS "organizationId", v.flow_id AS "flowId", v.version,
            CASE WHEN NOT starts_with(v.version, 'test-') THEN v.created_at END AS "from",
            (SELECT min(n.created_at) FROM flow_versions n
              WHERE n.organization_id = v.organization_id AND n.flow_id = v.flow_id AND n.created_at > v.created_at
                AND NOT starts_with(v.version, 'test-') AND NOT starts_with(n.version, 'test-')) AS "until"
       FROM flow_versions v WHERE v.organization_id = ANY($1) AND v.version = ANY($2)`,
  columns: {
    organizationId: text,
    flowId: text,
    version: text,
    /** NULL for one that only test runs have: it is never in force, and they may come at any time. */
    from: orNull(timestamp),
    /** When the next version came; NULL for the one in force. */
    until: orNull(timestamp),
  },
});

export type VersionTime = Row<typeof LIST_VERSION_TIMES>;

/** When versions with these names were in force; a name belongs to every flow that was changed as often that day. */
export async function listVersionTimes(
  db: Db,
  organizationIds: readonly string[],
  versions: readonly string[],
): Promise<VersionTime[]> {
  const { rows } = await db.query(LIST_VERSION_TIMES([organizationIds, versions]));
  return rows;
}
