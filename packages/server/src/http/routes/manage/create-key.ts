import { createKeyBody, keyCreatedAnswer } from "@millrace/contract/manage/keys";
import { createManagedKey } from "../../../operations/keys/manage-keys.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const createKeyRoute = (context: ContextOf<typeof createManagedKey>) =>
  defineRoute({
    method: "POST",
    path: "/manage/keys",
    name: "createKey",
    summary: "Create an API key and show it once",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: createKeyBody,
    answers: { 201: { description: "The key", schema: keyCreatedAnswer } },
    errors: ["organization_access_denied", "member_not_found"],
    async handle({ principal, actor, body }) {
      const { id, key, role, userId, expiresAt } = await createManagedKey(context, principal, actor, body);
      const data = { id, key, role, userId, expiresAt: expiresAt.toISOString() };
      return { status: 201, headers: { "cache-control": "no-store" }, body: { success: true, data } };
    },
  });
