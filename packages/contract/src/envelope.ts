import { z } from "zod";
import { type ErrorCode, errorCatalogue } from "./errors.ts";

export const issue = z.strictObject({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});
export type Issue = z.infer<typeof issue>;

const errorCode = z.enum(Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]);

export const errorBody = z.strictObject({
  success: z.literal(false),
  error: z.string().describe("short text, in the language of X-Locale"),
  message: z.string().optional().describe("longer description"),
  code: errorCode.describe("stable English name for programs"),
  issues: z.array(issue).optional(),
  messageParams: z.record(z.string(), z.string()).optional(),
  validationErrors: z.array(z.string()).optional(),
  validationWarnings: z.array(z.string()).optional(),
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("where there is more to say: `authenticated`, `faults`, `revision`"),
});

export const rateLimitBody = z.strictObject({
  success: z.literal(false).optional().describe("on the stream endpoints only"),
  error: z.string(),
});

/** The same for whoever reads it like any other error: what is never sent is optional. */
export const limitedBody = rateLimitBody.extend({
  message: z.string().optional().describe("never sent: the contract leaves it out"),
  code: errorCode.optional().describe("never sent: the contract leaves it out"),
});

export const success = <Data extends z.ZodType>(data: Data) =>
  z.strictObject({ success: z.literal(true), data });

export const timestamp = z.iso.datetime();

/** Text as PostgreSQL and JSON can both keep it: no NUL, no half of a surrogate pair. */
export const safeText = z
  .string()
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "must not contain NUL or lone surrogates");
