import type { FlowRecord } from "../../domain/records.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { FLOW } from "./list-flows.ts";

const FIND_FLOW = statement({
  text: `SELECT ${FLOW.select} FROM flows WHERE id = $1 AND deleted_at IS NULL`,
  columns: FLOW.columns,
});

/** By id alone, whoever owns it: whether the caller may see it is the operation's question. */
export async function findFlow(db: Db, flowId: string): Promise<FlowRecord | undefined> {
  const { rows } = await db.query(FIND_FLOW([flowId]));
  return rows[0];
}
