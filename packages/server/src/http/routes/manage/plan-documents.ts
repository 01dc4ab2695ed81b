import { documentsAnswer, documentsBody } from "@millrace/contract/manage/documents";
import { planDocuments } from "../../../operations/documents/change-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const MAX_DOCUMENTS_BYTES = 8 * 1_048_576;

export const planDocumentsRoute = (context: ContextOf<typeof planDocuments>) =>
  defineRoute({
    method: "POST",
    path: "/manage/documents/plan",
    name: "planDocuments",
    summary: "Say what would become of documents, with every fault and its file and line; nothing is changed",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: documentsBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "What would change, and what is wrong", schema: documentsAnswer } },
    errors: ["access_denied"],
    async handle({ principal, actor, body }) {
      return {
        status: 200,
        body: { success: true, data: await planDocuments(context, { principal, actor }, body) },
      };
    },
  });
