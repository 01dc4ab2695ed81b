import { z } from "zod";
import { success, timestamp } from "../envelope.ts";
import { designId } from "../ids.ts";
import { pageQuery } from "../paging.ts";
import { managedList, role } from "./managed.ts";

const secret = z.string().min(1).max(200);

/** What proves who signs in: the token of a sign-in link, or an API key. */
export const signInBody = z.union([
  z.strictObject({ token: secret.describe("what follows # in a sign-in link; works once") }),
  z.strictObject({ key: secret.describe("an API key; the session ends with it") }),
]);

const method = z.enum(["link", "key", "oidc"]);

export const signedInAnswer = success(
  z.strictObject({
    id: z.string(),
    method,
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string() }),
    organizations: z.array(z.strictObject({ id: z.string(), role })),
    expiresAt: timestamp.describe("when it ends at the latest; 12 hours without a request end it too"),
  }),
);

export const sessionsQuery = z.object({
  organizationId: designId
    .optional()
    .describe("sessions of everybody who reaches this organization; for owners. Without it the caller's own"),
  ...pageQuery,
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

export const consoleSession = z.strictObject({
  id: z.string(),
  userId: z.string(),
  method,
  keyId: z.string().optional().describe("the key it was made with"),
  address: z.string().optional(),
  userAgent: z.string().optional(),
  current: z.boolean().describe("whether it is the one that asks"),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
});
export type ConsoleSession = z.infer<typeof consoleSession>;

export const sessionsAnswer = managedList(consoleSession);
export const sessionEndedAnswer = success(z.strictObject({ id: z.string(), ended: z.literal(true) }));

export const signInMethodsAnswer = success(
  z.strictObject({ methods: z.array(method).describe("how one can sign in to the console here") }),
);
