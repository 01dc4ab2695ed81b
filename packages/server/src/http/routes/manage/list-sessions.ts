import { type ConsoleSession, sessionsAnswer, sessionsQuery } from "@millrace/contract/manage/sessions";
import { listSessions, type SessionRecord } from "../../../operations/sessions/list-sessions.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listSessionsRoute = (context: ContextOf<typeof listSessions>) =>
  defineRoute({
    method: "GET",
    path: "/manage/sessions",
    name: "listConsoleSessions",
    summary: "List who is signed in to the console, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: sessionsQuery,
    answers: { 200: { description: "A page of sessions", schema: sessionsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listSessions(context, principal, query);
      return { status: 200, body: presentPage(page, (session) => present(session, principal.sessionId)) };
    },
  });

function present(session: SessionRecord, own: string | undefined): ConsoleSession {
  const { id, userId, method, keyId, address, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return {
    id,
    userId,
    method,
    ...(keyId !== null && { keyId }),
    ...(address !== null && { address }),
    ...(userAgent !== null && { userAgent }),
    current: id === own,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
