import type { FlowRecord } from "../../domain/records.ts";
import type { Db } from "../pool.ts";
import { FLOW_COLUMNS } from "./list-flows.ts";

/** By id alone, whoever owns it: whether the caller may see it is the operation's question. */
export async function findFlow(db: Db, flowId: string): Promise<FlowRecord | undefined> {
  const { rows } = await db.query<FlowRecord>(
    `SELECT ${FLOW_COLUMNS} FROM flows WHERE id = $1 AND deleted_at IS NULL`,
    [flowId],
  );
  return rows[0];
}
