import { approvalsAnswer, approvalsQuery } from "@millrace/contract/manage/approvals";
import { listApprovals } from "../../../operations/runs/list-approvals.ts";
import { presentApproval } from "../../presenters/approval.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listApprovalsRoute = (context: ContextOf<typeof listApprovals>) =>
  defineRoute({
    method: "GET",
    path: "/manage/approvals",
    name: "listApprovals",
    summary: "List what runs of an organization ask people right now, the newest question first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: approvalsQuery,
    answers: { 200: { description: "A page of approvals", schema: approvalsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listApprovals(context, principal, query);
      return { status: 200, body: presentPage(page, presentApproval) };
    },
  });
