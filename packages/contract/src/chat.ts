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

const include = z
  .enum(["tools"], "must be tools")
  .optional()
  .describe("tools: also tell the calls of tools, and what they answered");

export const sendMessageQuery = z.object({ include });

export const streamSessionQuery = z.object({
  organizationId,
  include,
  lastEventId: z.string().optional().describe("events after this one; the header Last-Event-ID wins over it"),
});

/** What stands behind `data:` in the stream of an agent. */
export const chatStreamEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text-delta"), delta: z.string() }),
  z.strictObject({ type: z.literal("done"), text: z.string() }),
  z.strictObject({ type: z.literal("error"), error: z.string() }),
]);
export type ChatStreamEvent = z.infer<typeof chatStreamEvent>;

/** What else stands there for those who ask for `include=tools`. */
export const chatToolEvent = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("tool-call"),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.unknown().describe("the arguments; { truncated: true } for large ones"),
  }),
  z.strictObject({
    type: z.literal("tool-result"),
    toolCallId: z.string().describe("of the tool-call"),
    toolName: z.string(),
    output: z.string().describe("at most 10,000 characters of what the model was told"),
    isError: z.boolean(),
  }),
]);
export type ChatToolEvent = z.infer<typeof chatToolEvent>;

/** Every event of such a stream. */
export const chatEvent = z.union([chatStreamEvent, chatToolEvent]);
