import type { AgentRecord } from "../../domain/records.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { AGENT } from "./list-agents.ts";

const FIND_AGENT = statement({
  text: `SELECT ${AGENT.select} FROM agents WHERE id = $1 AND deleted_at IS NULL`,
  columns: AGENT.columns,
});

/** By id alone, whoever owns it: whether the caller may see it is the operation's question. */
export async function findAgent(db: Db, agentId: string): Promise<AgentRecord | undefined> {
  const { rows } = await db.query(FIND_AGENT([agentId]));
  return rows[0];
}
