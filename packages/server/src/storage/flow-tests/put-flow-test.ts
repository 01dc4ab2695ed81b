import type { FlowTestDocument } from "@millrace/contract/documents/flow-test";
import { type Outcome, outcomeOf } from "../catalogue/outcome.ts";
import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const PUT_FLOW_TEST = statement({
  text: `INSERT INTO flow_tests AS known (organization_id, flow_id, id, document, author) VALUES ($1, $2, $3, $4::text::json, $5)
     ON CONFLICT (organization_id, flow_id, id) DO UPDATE SET document = excluded.document, author = excluded.author, updated_at = now()
     WHERE known.document::text <> $4::text
     RETURNING xmax = 0 AS created`,
  columns: { created: boolean },
});

export interface NewFlowTest {
  readonly organizationId: string;
  readonly document: FlowTestDocument;
  readonly author: string | undefined;
}

export async function putFlowTest(
  db: Db,
  { organizationId, document, author }: NewFlowTest,
): Promise<Outcome> {
  const { id, flowId } = document;
  const { rows } = await db.query(
    PUT_FLOW_TEST([organizationId, flowId, id, JSON.stringify(document), author]),
  );
  return outcomeOf(rows);
}
