import type { AgentSessionsQuery } from "@millrace/contract/manage/agent-sessions";
import { type Page, type PageRequest, toPage, toPageRequest } from "../../domain/cursor.ts";
import { idTimeMs } from "../../domain/ids.ts";
import { cursorsOf, toNumber } from "../../domain/number-cursor.ts";
import { mayReadValues, type Principal, reaches } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findAgent } from "../../storage/agents/find-agent.ts";
import {
  findSessionRecord,
  listSessions as readSessions,
  listTurns,
  type SessionRecord,
  type TurnRecord,
} from "../../storage/agent-chat/list-sessions.ts";
import type { Db } from "../../storage/pool.ts";

export async function listSessions(
  { db }: { readonly db: Db },
  principal: Principal,
  agentId: string,
  query: AgentSessionsQuery,
): Promise<Page<SessionRecord>> {
  const organizationId = await organizationOf(db, principal, agentId);
  const page = toPageRequest(`sessions:${agentId}`, query);
  refuseForeignPosition(page);
  return toPage(page, await readSessions(db, organizationId, agentId, page));
}

export interface Transcript {
  readonly session: SessionRecord;
  readonly turns: Page<TurnRecord>;
  readonly showsValues: boolean;
}

/** What was said in a session, oldest first. */
export async function readTranscript(
  { db }: { readonly db: Db },
  principal: Principal,
  of: { readonly agentId: string; readonly sessionId: string },
  query: AgentSessionsQuery,
): Promise<Transcript> {
  const organizationId = await organizationOf(db, principal, of.agentId);
  const session = await findSessionRecord(db, organizationId, of.agentId, of.sessionId);
  if (!session) throw new Refusal("session_not_found");
  const page = toPageRequest(`turns:${of.sessionId}`, query);
  const isBack = page.before !== undefined;
  const place = { organizationId, sessionId: of.sessionId };
  const rows = await listTurns(db, place, { from: toNumber(page), isBack, size: page.size });
  const items = rows.slice(0, page.size);
  if (isBack) items.reverse();
  const [first, last] = [items[0], items.at(-1)];
  const hasMore = rows.length > page.size;
  const cursors = first && last ? cursorsOf(page, { first: first.number, last: last.number, hasMore }) : {};
  return { session, turns: { items, ...cursors }, showsValues: mayReadValues(principal, organizationId) };
}

async function organizationOf(db: Db, principal: Principal, agentId: string): Promise<string> {
  const agent = await findAgent(db, agentId);
  if (!agent || !reaches(principal, agent.organizationId)) throw new Refusal("agent_not_found");
  return agent.organizationId;
}

/** The list is ordered by id alone, whose time has to be the cursor's. */
function refuseForeignPosition({ after, before }: PageRequest): void {
  for (const [name, position] of [["page[after]", after] as const, ["page[before]", before] as const])
    if (position && idTimeMs(position.id) !== position.createdAt.getTime())
      throw new Refusal("invalid_query", {
        issues: [{ path: [name], message: "is not a cursor of this list" }],
      });
}
