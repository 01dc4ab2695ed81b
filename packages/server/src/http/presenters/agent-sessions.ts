import type { AgentSessionWire, AgentTurnWire } from "@millrace/contract/manage/agent-sessions";
import type { Transcript, listSessions } from "../../operations/agent-chat/list-sessions.ts";

type Session = Awaited<ReturnType<typeof listSessions>>["items"][number];
type Turn = Transcript["turns"]["items"][number];

export function presentAgentSession(session: Session): AgentSessionWire {
  return {
    sessionId: session.id,
    externalId: session.externalId,
    ...(session.endUserId !== null && { endUserId: session.endUserId }),
    ...(session.sessionKey !== null && { sessionKey: session.sessionKey }),
    turns: session.turns,
    createdAt: session.createdAt.toISOString(),
    lastActivityAt: session.lastActivityAt.toISOString(),
  };
}

export function presentTurn(turn: Turn, showsValues: boolean): AgentTurnWire {
  const { number, status, message, reply, error, createdAt, startedAt, firstOutputAt, endedAt, tools } = turn;
  const toolCalls = tools.map(({ id, name, input, output, isError }) => ({
    id,
    name,
    ...(showsValues && { input, ...(output !== null && { output }) }),
    ...(isError !== null && { isError }),
  }));
  return {
    number,
    status,
    ...(showsValues ? { message, ...(reply !== null && { reply }) } : { valuesHidden: true }),
    ...(error !== null && { error }),
    ...(toolCalls.length > 0 && { toolCalls }),
    createdAt: createdAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(firstOutputAt && { firstOutputAt: firstOutputAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  };
}
