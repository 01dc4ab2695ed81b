import {
  credentialsAnswer,
  credentialsQuery,
  type ManagedCredential,
} from "@millrace/contract/manage/credentials";
import {
  type CredentialSummary,
  listCredentials,
} from "../../../operations/credentials/manage-credentials.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listCredentialsRoute = (context: ContextOf<typeof listCredentials>) =>
  defineRoute({
    method: "GET",
    path: "/manage/credentials",
    name: "listCredentials",
    summary: "List credentials, never their secrets",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: credentialsQuery,
    answers: { 200: { description: "A page of credentials", schema: credentialsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listCredentials(context, principal, query), present) };
    },
  });

function present({ id, type, allowedHosts, createdAt, updatedAt }: CredentialSummary): ManagedCredential {
  return {
    id,
    type,
    allowedHosts: [...allowedHosts],
    createdAt: createdAt.toISOString(),
    ...(updatedAt && { updatedAt: updatedAt.toISOString() }),
  };
}
