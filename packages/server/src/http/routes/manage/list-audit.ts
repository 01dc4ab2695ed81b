import { auditAnswer, auditQuery } from "@millrace/contract/manage/audit";
import { listAudit } from "../../../operations/audit/list-audit.ts";
import { presentAuditEntry } from "../../presenters/audit-entry.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listAuditRoute = (context: ContextOf<typeof listAudit>) =>
  defineRoute({
    method: "GET",
    path: "/manage/audit",
    name: "listAudit",
    summary: "List who changed what, newest first",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: auditQuery,
    answers: { 200: { description: "A page of the audit log", schema: auditAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listAudit(context, principal, query);
      return { status: 200, body: presentPage(page, presentAuditEntry) };
    },
  });
