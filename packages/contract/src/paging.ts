import { z } from "zod";
import { safeText } from "./envelope.ts";

const DEFAULT_PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;

/** The `page[*]` parameters every list takes. */
export const pageQuery = {
  "page[size]": z
    .string()
    .regex(/^[0-9]+$/, "must be a whole number")
    .transform(Number)
    .refine((size) => size >= 1, "must be at least 1")
    .transform((size) => Math.min(size, MAX_PAGE_SIZE))
    .default(DEFAULT_PAGE_SIZE)
    .describe(`results per page, 1 to ${MAX_PAGE_SIZE}; more is clamped`)
    .meta({
      parameter: { type: "number", multipleOf: 1, minimum: 1, default: DEFAULT_PAGE_SIZE },
    }),
  "page[after]": safeText.max(512).optional().describe("cursor; results after it"),
  "page[before]": safeText.max(512).optional().describe("cursor; results before it"),
};

export const pagination = z.strictObject({
  next: z.string().optional().describe("cursor for page[after]; absent on the last page"),
  prev: z.string().optional().describe("cursor for page[before]; absent on the first page"),
});
