import { sessionEndedAnswer } from "@millrace/contract/manage/sessions";
import { endSession } from "../../../operations/sessions/end-session.ts";
import { type ContextOf, defineRoute } from "../../route.ts";
import type { Site } from "../../site.ts";

export const endSessionRoute = (context: ContextOf<typeof endSession> & { readonly site: Site }) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/sessions/{id}",
    name: "endConsoleSession",
    summary: "End a session of one's own or, for owners, of a member; the own one signs out",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "It ends everywhere within seconds", schema: sessionEndedAnswer } },
    errors: ["session_not_found"],
    async handle({ principal, actor, params, raw }) {
      const id = params.id!;
      await endSession(context, principal, actor, id);
      const isOwn = id === principal.sessionId;
      const headers = isOwn ? { headers: { "set-cookie": context.site.forgetSession(raw) } } : {};
      return { status: 200, ...headers, body: { success: true, data: { id, ended: true } } };
    },
  });
