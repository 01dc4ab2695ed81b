import { z } from "zod";
import { designId } from "../ids.ts";
import { closedObject } from "./closed-object.ts";
import { limit, name } from "./fields.ts";
import { variableValues } from "./variables.ts";

const roles = ["owner", "admin", "member", "viewer"] as const;

const member = closedObject({
  id: designId,
  email: z.email("must be an e-mail address").max(254),
  name,
  role: z.enum(roles, "must be owner, admin, member or viewer"),
  disabled: z.boolean().optional().describe("true: none of the user's keys works, in any organization"),
});

/** What a document leaves out keeps its stored value; a new organization gets the defaults. */
export const organizationDocument = closedObject({
  kind: z.literal("Organization"),
  id: designId,
  name,
  limits: closedObject({
    concurrency: limit.optional().describe("Runs at the same time; default 10."),
    queue: limit.optional().describe("Runs that may wait; default 10000."),
    requestsPerMinute: limit.optional().describe("API requests of one user; 0 = no limit."),
  }).optional(),
  credits: z
    .int("must be a whole number or null")
    .min(0, "must be 0 or more")
    .nullable()
    .optional()
    .describe("null = unlimited; a number = opening balance, later changed by `millrace credits`."),
  values: z
    .enum(["shown", "hidden"], "must be shown or hidden")
    .optional()
    .describe(
      "hidden: viewers see structure, times and statuses of runs, never inputs, outputs or messages.",
    ),
  auditDays: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(36_500, "must be 36500 or less")
    .optional()
    .describe("How long the audit log is kept; default 400."),
  variables: variableValues
    .optional()
    .describe(
      "Exactly these plain values, by name; expressions read them as `vars.<name>`. Secrets are credentials.",
    ),
  suspended: z.boolean().optional().describe("true: every key of the organization is refused"),
  members: z
    .array(member)
    .max(10_000)
    .optional()
    .describe("Exactly these; who is left out is a member no longer."),
});

export type OrganizationDocument = z.infer<typeof organizationDocument>;
export type MemberDocument = z.infer<typeof member>;
