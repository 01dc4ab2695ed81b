import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { json, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_FLOW_TESTS = statement({
  text: `SELECT id, document, author, updated_at AS "updatedAt" FROM flow_tests
      WHERE organization_id = $1 AND flow_id = $2 ORDER BY id`,
  columns: {
    id: text,
    document: json<FlowTestDocument>(),
    author: orNull(text),
    updatedAt: timestamp,
  },
});

export type FlowTestRow = Row<typeof LIST_FLOW_TESTS>;

/** All that are stored with a flow. */
export async function listFlowTests(db: Db, organizationId: string, flowId: string): Promise<FlowTestRow[]> {
  const { rows } = await db.query(LIST_FLOW_TESTS([organizationId, flowId]));
  return rows;
}
