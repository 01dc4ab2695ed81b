import { keysAnswer, keysQuery, type ManagedKey } from "@millrace/contract/manage/keys";
import { listKeys, type OrganizationKey } from "../../../operations/keys/manage-keys.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listKeysRoute = (context: ContextOf<typeof listKeys>) =>
  defineRoute({
    method: "GET",
    path: "/manage/keys",
    name: "listKeys",
    summary: "List the API keys of an organization, newest first",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: keysQuery,
    answers: { 200: { description: "A page of keys, without the keys themselves", schema: keysAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await listKeys(context, principal, query), present) };
    },
  });

function present({ id, name, hint, role, userId, state, createdAt, ...times }: OrganizationKey): ManagedKey {
  const { expiresAt, lastUsedAt } = times;
  return {
    id,
    name,
    hint,
    role,
    userId,
    state,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
