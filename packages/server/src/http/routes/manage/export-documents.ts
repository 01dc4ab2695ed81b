import { exportQuery } from "@millrace/contract/manage/documents";
import { exportDocuments } from "../../../operations/documents/export-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const exportDocumentsRoute = (context: ContextOf<typeof exportDocuments>) =>
  defineRoute({
    method: "GET",
    path: "/manage/documents",
    name: "exportDocuments",
    summary: "Get all documents of an organization as YAML, without secrets",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: exportQuery,
    answers: { 200: { description: "Documents that apply takes back unchanged", type: "application/yaml" } },
    errors: ["organization_access_denied", "payload_too_large"],
    async handle({ principal, query }) {
      return {
        status: 200,
        body: await exportDocuments(context, principal, query),
        headers: { "content-type": "application/yaml; charset=utf-8" },
      };
    },
  });
