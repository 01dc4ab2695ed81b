import { changeMemberBody, memberAnswer } from "@millrace/contract/manage/members";
import { changeMember } from "../../../operations/members/manage-members.ts";
import { presentMember } from "../../presenters/member.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const changeMemberRoute = (context: ContextOf<typeof changeMember>) =>
  defineRoute({
    method: "PATCH",
    path: "/manage/members/{userId}",
    name: "changeMember",
    summary: "Change the role of a member",
    tag: "Manage",
    access: "key",
    role: "owner",
    body: changeMemberBody,
    answers: { 200: { description: "The member", schema: memberAnswer } },
    errors: ["organization_access_denied", "member_not_found", "last_owner"],
    async handle({ principal, actor, params, body }) {
      const member = await changeMember(context, principal, actor, params.userId!, body);
      return { status: 200, body: { success: true, data: presentMember(member) } };
    },
  });
