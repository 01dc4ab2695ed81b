import { credentialSetAnswer, setCredentialBody } from "@millrace/contract/manage/credentials";
import { setCredential } from "../../../operations/credentials/manage-credentials.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const setCredentialRoute = (context: ContextOf<typeof setCredential>) =>
  defineRoute({
    method: "PUT",
    path: "/manage/credentials/{credentialId}",
    name: "setCredential",
    summary: "Create a credential, or replace it whole",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: setCredentialBody,
    answers: { 200: { description: "What was done", schema: credentialSetAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, actor, params, body }) {
      const id = params.credentialId!;
      const action = await setCredential(context, principal, actor, id, body);
      return { status: 200, body: { success: true, data: { id, action } } };
    },
  });
