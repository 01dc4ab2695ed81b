import { documentsAnswer, documentsBody } from "@millrace/contract/manage/documents";
import { deployDocuments } from "../../../operations/documents/change-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";

export const applyDocumentsRoute = (context: ContextOf<typeof deployDocuments>) =>
  defineRoute({
    method: "POST",
    path: "/manage/documents",
    name: "applyDocuments",
    summary: "Put documents into the service, all or none of them",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: documentsBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "What has changed", schema: documentsAnswer } },
    errors: ["documents_invalid", "documents_changed", "access_denied"],
    async handle({ principal, actor, body }) {
      return {
        status: 200,
        body: { success: true, data: await deployDocuments(context, { principal, actor }, body) },
      };
    },
  });
