import { membersAnswer, membersQuery } from "@millrace/contract/manage/members";
import { listMembers } from "../../../operations/members/manage-members.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentMember } from "../../presenters/member.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listMembersRoute = (context: ContextOf<typeof listMembers>) =>
  defineRoute({
    method: "GET",
    path: "/manage/members",
    name: "listMembers",
    summary: "List the members of an organization",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: membersQuery,
    answers: { 200: { description: "A page of members", schema: membersAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listMembers(context, principal, query), presentMember) };
    },
  });
