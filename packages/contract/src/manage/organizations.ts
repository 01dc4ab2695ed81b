import { z } from "zod";
import { safeText, success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, role } from "./managed.ts";

const limit = z.int("must be a whole number").min(0).max(2_147_483_647);

export const organizationsQuery = z.object({ ...pageQuery });
export type OrganizationsQuery = z.infer<typeof organizationsQuery>;

export const managedOrganization = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: role.describe("what the caller is in it"),
  suspended: z.boolean(),
  limits: z.strictObject({
    concurrency: z.number(),
    queue: z.number(),
    requestsPerMinute: z.number().nullable().describe("null: the service's own limit"),
  }),
  values: z
    .enum(["shown", "hidden"])
    .describe("hidden: viewers see structure, times and statuses of runs, never inputs, outputs or messages"),
  auditDays: z.number().describe("how long the audit log is kept"),
  createdAt: timestamp,
});
export type ManagedOrganization = z.infer<typeof managedOrganization>;
export const organizationsAnswer = managedList(managedOrganization);
export const organizationAnswer = success(managedOrganization);

export const changeOrganizationBody = z.strictObject({
  name: safeText.min(1).max(200).optional(),
  limits: z
    .strictObject({
      concurrency: limit.optional().describe("runs at the same time"),
      queue: limit.optional().describe("runs that may wait"),
      requestsPerMinute: limit.optional().describe("API requests of one user; 0 = no limit"),
    })
    .optional(),
  values: z.enum(["shown", "hidden"]).optional(),
  auditDays: z.int("must be a whole number").min(1).max(36_500).optional(),
});
export type ChangeOrganizationBody = z.infer<typeof changeOrganizationBody>;
