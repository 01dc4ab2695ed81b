import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_ASKER = statement({
  text: `SELECT f.name AS "flowName", o.name AS "organizationName", r.completed_at IS NOT NULL AS "hasEnded",
            EXISTS (SELECT FROM run_waits w WHERE w.organization_id = r.organization_id AND w.run_id = r.id AND w.node_key = $3
                       AND w.kind = 'approval' AND w.answered_at IS NOT NULL) AS "wasAnswered"
       FROM runs r JOIN flows f ON f.organization_id = r.organization_id AND f.id = r.flow_id
       JOIN organizations o ON o.id = r.organization_id
      WHERE r.organization_id = $1 AND r.id = $2`,
  columns: { flowName: text, organizationName: text, hasEnded: boolean, wasAnswered: boolean },
});

export type Asker = Row<typeof FIND_ASKER>;

/** Who asks for a decision, and whether that is over. */
export async function findAsker(
  db: Db,
  organizationId: string,
  runId: string,
  nodeKey: string,
): Promise<Asker | undefined> {
  const { rows } = await db.query(FIND_ASKER([organizationId, runId, nodeKey]));
  return rows[0];
}
