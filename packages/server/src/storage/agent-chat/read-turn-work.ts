import type { AgentDesign } from "@millrace/contract/documents/agent";
import type { EarlierTurn } from "../../domain/agent/model-messages.ts";
import type { TurnRef } from "../../domain/agent/chat.ts";
import { smallint, json, orNull, text } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const READ_TURN_WORK = statement({
  name: "read-turn-work",
  text: `
SELECT s.agent_id AS "agentId", ${inDocumentOrder("design", "d.")}, n.depth,
       (SELECT coalesce(json_agg(json_build_object('userText', h.user_text, 'modelMessages', h.model_messages) ORDER BY h.number), '[]')
          FROM (SELECT t.number, t.user_text, t.model_messages, sum(t.history_size) OVER (ORDER BY t.number DESC) AS size
                  FROM agent_turns t
                 WHERE t.organization_id = s.organization_id AND t.session_id = s.id AND t.number < $3 AND t.status IN ('completed', 'failed')
                 ORDER BY t.number DESC LIMIT $4) h
         WHERE h.size <= $5) AS earlier
  FROM agent_sessions s
  JOIN agent_turns n ON n.organization_id = s.organization_id AND n.session_id = s.id AND n.number = $3
  LEFT JOIN agents a ON a.organization_id = s.organization_id AND a.id = s.agent_id AND a.deleted_at IS NULL
  LEFT JOIN agent_designs d ON d.organization_id = a.organization_id AND d.agent_id = a.id
 WHERE s.organization_id = $1 AND s.id = $2`,
  columns: {
    agentId: text,
    /** NULL where the agent was deleted meanwhile. */
    design: orNull(json<AgentDesign>()),
    depth: smallint,
    earlier: json<readonly EarlierTurn[]>(),
  },
});

export type TurnWork = Row<typeof READ_TURN_WORK>;

/** What is needed to answer a turn. The only place that ever reads a design. */
export async function readTurnWork(
  db: Db,
  { organizationId, sessionId, number }: TurnRef,
  maxHistory: { readonly turns: number; readonly characters: number },
): Promise<TurnWork> {
  const { rows } = await db.query(
    READ_TURN_WORK([organizationId, sessionId, number, maxHistory.turns, maxHistory.characters]),
  );
  return rows[0]!;
}
