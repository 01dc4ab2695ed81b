import { keyRotatedAnswer, rotateKeyBody } from "@millrace/contract/manage/keys";
import { rotateManagedKey } from "../../../operations/keys/manage-keys.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const rotateKeyRoute = (context: ContextOf<typeof rotateManagedKey>) =>
  defineRoute({
    method: "POST",
    path: "/manage/keys/{keyId}/rotate",
    name: "rotateKey",
    summary: "Replace a key; the old one keeps working for a while",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: rotateKeyBody,
    answers: { 201: { description: "The new key", schema: keyRotatedAnswer } },
    errors: ["key_not_found", "key_not_rotatable"],
    async handle({ principal, actor, params, body }) {
      const rotated = await rotateManagedKey(context, principal, actor, params.keyId!, body);
      const { id, key, role, userId, replaces, expiresAt, replacedExpiresAt } = rotated;
      const times = {
        expiresAt: expiresAt.toISOString(),
        replacedExpiresAt: replacedExpiresAt.toISOString(),
      };
      const data = { id, key, role, userId, replaces, ...times };
      return { status: 201, headers: { "cache-control": "no-store" }, body: { success: true, data } };
    },
  });
