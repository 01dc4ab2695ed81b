import { memberQuery, memberRemovedAnswer } from "@millrace/contract/manage/members";
import { removeMember } from "../../../operations/members/manage-members.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const removeMemberRoute = (context: ContextOf<typeof removeMember>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/members/{userId}",
    name: "removeMember",
    summary: "Remove a member; keys and sessions for the organization end with the membership",
    tag: "Manage",
    access: "key",
    role: "owner",
    query: memberQuery,
    answers: { 200: { description: "No member any more", schema: memberRemovedAnswer } },
    errors: ["organization_access_denied", "member_not_found", "last_owner"],
    async handle({ principal, actor, params, query }) {
      const userId = params.userId!;
      await removeMember(context, principal, actor, userId, query);
      return { status: 200, body: { success: true, data: { userId, removed: true } } };
    },
  });
