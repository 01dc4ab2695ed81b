import { addMemberBody, memberAnswer } from "@millrace/contract/manage/members";
import { addMember } from "../../../operations/members/manage-members.ts";
import { presentMember } from "../../presenters/member.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const addMemberRoute = (context: ContextOf<typeof addMember>) =>
  defineRoute({
    method: "POST",
    path: "/manage/members",
    name: "addMember",
    summary: "Make somebody a member of an organization",
    tag: "Manage",
    access: "key",
    role: "owner",
    body: addMemberBody,
    answers: { 201: { description: "The member", schema: memberAnswer } },
    errors: ["organization_access_denied", "member_exists", "user_mismatch"],
    async handle({ principal, actor, body }) {
      const member = await addMember(context, principal, actor, body);
      return { status: 201, body: { success: true, data: presentMember(member) } };
    },
  });
