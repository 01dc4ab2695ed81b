import { z } from "zod";
import { safeText, success } from "./envelope.ts";
import { designId } from "./ids.ts";

const organizationId = designId.optional().describe("required with a user-scoped key");

/** Nothing of it is needed, so a request without a body will do. */
export const createSessionBody = z
  .object(
    {
      organizationId,
      endUserId: safeText.min(1).max(256).optional().describe("your id for the end user"),
    },
    "must be an object",
  )
  .prefault({});

export const sessionAnswer = success(
  z.strictObject({
    sessionId: z.string(),
    externalId: z.string().describe("opaque second name of the session"),
  }),
);

const MAX_MESSAGE_LENGTH = 32_000;

export const sendMessageBody = z.object({
  organizationId,
  message: safeText
    .min(1, "must not be empty")
    .refine(
      // Characters as people count them: one outside the basic plane is one.
      (text) => text.length <= MAX_MESSAGE_LENGTH || Array.from(text).length <= MAX_MESSAGE_LENGTH,
      `must have at most ${MAX_MESSAGE_LENGTH} characters`,
    )
    .describe(`1 to ${MAX_MESSAGE_LENGTH} characters`),
});

export const messageAnswer = success(z.strictObject({ text: z.string() }));

export const streamSessionQuery = z.object({
  organizationId,
  lastEventId: z.string().optional().describe("events after this one; the header Last-Event-ID wins over it"),
});

/** What stands behind `data:` in the stream of an agent. */
export const chatStreamEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text-delta"), delta: z.string() }),
  z.strictObject({ type: z.literal("done"), text: z.string() }),
  z.strictObject({ type: z.literal("error"), error: z.string() }),
]);
export type ChatStreamEvent = z.infer<typeof chatStreamEvent>;
