import { credentialDeletedAnswer, credentialQuery } from "@millrace/contract/manage/credentials";
import { removeCredential } from "../../../operations/credentials/manage-credentials.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const deleteCredentialRoute = (context: ContextOf<typeof removeCredential>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/credentials/{credentialId}",
    name: "deleteCredential",
    summary: "Delete a credential; nodes that use it fail from now on",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: credentialQuery,
    answers: { 200: { description: "It is deleted", schema: credentialDeletedAnswer } },
    errors: ["organization_access_denied", "credential_not_found"],
    async handle({ principal, actor, params, query }) {
      const id = params.credentialId!;
      await removeCredential(context, principal, actor, id, query);
      return { status: 200, body: { success: true, data: { id, deleted: true } } };
    },
  });
