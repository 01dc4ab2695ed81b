import { z } from "zod";
import { bounded } from "./bounded.ts";
import { safeText } from "./envelope.ts";

const MAX_MESSAGES = 1_000;
const MAX_PARTS = 100;

const textPart = z.object({
  type: z.literal("text", "must be text: agents read nothing else"),
  text: safeText,
});
const content = z
  .union(
    [safeText, bounded(MAX_PARTS, z.array(textPart), "parts")],
    "must be a text, or a list of text parts",
  )
  .describe("text alone");

const message = z.object(
  {
    role: z
      .enum(["system", "developer", "user", "assistant"], "must be system, developer, user or assistant")
      .describe("tools are called inside the service, so there are no messages of tools"),
    content: content.nullish(),
  },
  "must be an object",
);

/** Left out, or as if it were: what would change the shape of the answer is refused, not ignored. */
const none = (what: string) => z.union([z.null(), z.array(z.unknown()).max(0)], what).optional();

/** What OpenAI's clients send; how an agent samples is its design, so those settings are taken and ignored. */
export const completionBody = z.object(
  {
    model: z.string("must be the id of an agent").min(1).max(64).describe("the id of an agent"),
    messages: bounded(MAX_MESSAGES, z.array(message).min(1, "must not be empty"), "messages"),
    stream: z.boolean("must be true or false").nullish(),
    stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
    n: z.literal(1, "must be 1: an agent gives one reply").nullish(),
    user: safeText.min(1).max(256).nullish().describe("your id for the end user"),
    tools: none("must be empty: an agent has its own tools"),
    functions: none("must be empty: an agent has its own tools"),
    response_format: z
      .object({ type: z.literal("text", "must be text") }, "must be { type: text }")
      .nullish(),
  },
  "must be an object",
);
export type CompletionBody = z.infer<typeof completionBody>;

export const completionUsage = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
});
export type CompletionUsage = z.infer<typeof completionUsage>;

export const completionAnswer = z.strictObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.strictObject({
      index: z.int(),
      message: z.strictObject({ role: z.literal("assistant"), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: z.literal("stop"),
    }),
  ),
  usage: completionUsage,
});
export type CompletionAnswer = z.infer<typeof completionAnswer>;

export const model = z.strictObject({
  id: z.string().describe("the id of an agent"),
  object: z.literal("model"),
  created: z.int().describe("Unix seconds"),
  owned_by: z.string().describe("the organization"),
});
export type Model = z.infer<typeof model>;
export const modelsAnswer = z.strictObject({ object: z.literal("list"), data: z.array(model) });

/** Errors as clients of OpenAI read them. */
export const openAiErrorBody = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable().describe("the part of the request that is meant"),
    code: z.string(),
  }),
});
