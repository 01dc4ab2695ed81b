import { z } from "zod";
import { designId } from "../ids.ts";

export const name = z.string().min(1, "must not be empty").max(200, "must be at most 200 characters");
export const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, "must be 1 to 100 lower-case letters, digits or -")
  .nullable()
  .describe("URL-friendly name");
export const organizationId = designId.describe("The organization this belongs to.");
export const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .max(2_048, "must be at most 2048 characters");
/** PostgreSQL keeps these limits in integer columns. */
export const limit = z.int("must be a whole number").min(0, "must be 0 or more").max(2_147_483_647);
