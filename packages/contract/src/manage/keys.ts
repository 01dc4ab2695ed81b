import { z } from "zod";
import { safeText, success, timestamp } from "../envelope.ts";
import { designId } from "../ids.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope, role } from "./managed.ts";

const lifetime = z.string().regex(/^\d{1,6}[mhdw]$/, "must be a time such as 12h, 90d or 4w");

export const keysQuery = z.object({ ...organizationScope, ...pageQuery });
export type KeysQuery = z.infer<typeof keysQuery>;

export const managedKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("its first and last characters"),
  role,
  userId: z.string().describe("whom it acts as"),
  state: z.enum(["active", "rotated", "expired", "revoked"]).describe("a rotated key works until it expires"),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.optional(),
});
export type ManagedKey = z.infer<typeof managedKey>;
export const keysAnswer = managedList(managedKey);

export const createKeyBody = z.strictObject({
  ...organizationScope,
  name: safeText.min(1).max(200).describe("what the key is for"),
  role: role.default("member").describe("what it may do at most; not more than its maker"),
  userId: designId.optional().describe("the member it acts as; the caller where left out"),
  expiresIn: lifetime.default("365d").describe("lifetime: 12h, 90d, 4w"),
});
export type CreateKeyBody = z.infer<typeof createKeyBody>;

const created = {
  id: z.string(),
  key: z.string().describe("shown this once"),
  role,
  userId: z.string(),
  expiresAt: timestamp,
};
export const keyCreatedAnswer = success(z.strictObject(created));

export const rotateKeyBody = z
  .strictObject({
    overlap: z
      .string()
      .regex(/^(?:0|\d{1,6}[mhdw])$/, "must be a time such as 30m, 12h, or 0")
      .default("1d")
      .describe("how long the old key keeps working; 0 ends it at once"),
    expiresIn: lifetime.optional().describe("lifetime of the new key; that of the old one where left out"),
  })
  .optional()
  .transform((body) => body ?? { overlap: "1d", expiresIn: undefined });
export type RotateKeyBody = z.infer<typeof rotateKeyBody>;

export const keyRotatedAnswer = success(
  z.strictObject({ ...created, replaces: z.string(), replacedExpiresAt: timestamp }),
);
export const keyRevokedAnswer = success(z.strictObject({ id: z.string(), revokedAt: timestamp }));
