import { keyRevokedAnswer } from "@millrace/contract/manage/keys";
import { revokeManagedKey } from "../../../operations/keys/manage-keys.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const revokeKeyRoute = (context: ContextOf<typeof revokeManagedKey>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/keys/{keyId}",
    name: "revokeKey",
    summary: "Revoke a key; it and its sessions stop working everywhere within five seconds",
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The key is revoked", schema: keyRevokedAnswer } },
    errors: ["key_not_found"],
    async handle({ principal, actor, params }) {
      const id = params.keyId!;
      const revokedAt = await revokeManagedKey(context, principal, actor, id);
      return { status: 200, body: { success: true, data: { id, revokedAt: revokedAt.toISOString() } } };
    },
  });
