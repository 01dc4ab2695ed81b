import { z } from "zod";
import { safeText, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

const word = safeText.min(1).max(200);

export const auditQuery = z.object({
  ...organizationScope,
  "filter[action]": word
    .optional()
    .describe("what was done: key.create, or key for all that was done to keys"),
  "filter[target]": word.optional().describe("id of what was changed"),
  "filter[userId]": word.optional().describe("who did it"),
  "filter[from]": timestamp.optional().describe("not before this moment"),
  "filter[to]": timestamp.optional().describe("not after this moment"),
  ...pageQuery,
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditEntry = z.strictObject({
  id: z.string(),
  organizationId: z.string(),
  createdAt: timestamp,
  action: z.string().describe("kind of thing and what was done to it: key.create"),
  target: z.string().describe("id of what was changed"),
  by: z.strictObject({
    userId: z.string().optional().describe("absent where nobody signed in: a command beside the database"),
    via: z.enum(["key", "session", "token", "link", "cli", "service"]),
    viaId: z.string().optional().describe("the key, the session, or the account that ran the command"),
    address: z.string().optional(),
  }),
  before: z.record(z.string(), z.unknown()).optional(),
  after: z.record(z.string(), z.unknown()).optional(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditAnswer = managedList(auditEntry);
