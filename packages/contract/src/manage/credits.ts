import { z } from "zod";
import { safeText, success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

export const creditsQuery = z.object({ ...organizationScope });

export const creditsAnswer = success(
  z.strictObject({
    organizationId: z.string(),
    limited: z.boolean().describe("false: unlimited, whatever the ledger says"),
    balance: z.number(),
  }),
);

export const ledgerQuery = z.object({ ...organizationScope, ...pageQuery });
export type LedgerQuery = z.infer<typeof ledgerQuery>;

export const creditEntry = z.strictObject({
  id: z.string(),
  kind: z
    .enum(["opening", "grant", "reserve", "settle", "carry"])
    .describe("carry: the entries of runs that ended, added up"),
  amount: z.number(),
  runId: z.string().optional(),
  note: z.string().optional(),
  createdAt: timestamp,
});
export type CreditEntry = z.infer<typeof creditEntry>;
export const ledgerAnswer = managedList(creditEntry);

export const grantCreditsBody = z.strictObject({
  ...organizationScope,
  amount: z
    .int("must be a whole number")
    .min(-1_000_000_000)
    .max(1_000_000_000)
    .refine((amount) => amount !== 0, "must not be 0")
    .describe("added to the balance; a negative one is taken from it"),
  note: safeText.max(1_000).optional().describe("reason, kept in the ledger"),
});
export type GrantCreditsBody = z.infer<typeof grantCreditsBody>;
