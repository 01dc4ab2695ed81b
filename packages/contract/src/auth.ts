import { z } from "zod";
import { success, timestamp } from "./envelope.ts";

export const validateAnswer = success(
  z.strictObject({
    authenticated: z.literal(true),
    user: z.strictObject({ id: z.string(), email: z.string(), name: z.string() }),
    session: z.strictObject({
      id: z.string().describe("api-key-{keyId}, or the console session"),
      expiresAt: timestamp,
      activeOrganizationId: z.null(),
    }),
  }),
);
export type ValidateAnswer = z.infer<typeof validateAnswer>;
