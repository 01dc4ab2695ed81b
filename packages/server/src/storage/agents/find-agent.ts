import type { AgentRecord } from "../../domain/records.ts";
import type { Db } from "../pool.ts";
import { AGENT_COLUMNS } from "./list-agents.ts";

/** By id alone, whoever owns it: whether the caller may see it is the operation's question. */
export async function findAgent(db: Db, agentId: string): Promise<AgentRecord | undefined> {
  const { rows } = await db.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM agents WHERE id = $1 AND deleted_at IS NULL`,
    [agentId],
  );
  return rows[0];
}
