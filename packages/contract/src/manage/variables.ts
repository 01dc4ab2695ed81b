import { z } from "zod";
import { variableValues } from "../documents/variables.ts";
import { success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { note } from "./documents.ts";
import { managedList, organizationScope } from "./managed.ts";

export const variablesQuery = z.object({
  ...organizationScope,
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be a version, from 1")
    .transform(Number)
    .optional()
    .describe("an earlier version; the one in force where left out")
    .meta({ parameter: { type: "integer", minimum: 1 } }),
});
export type VariablesQuery = z.infer<typeof variablesQuery>;

const written = {
  author: z.string().optional().describe("the user who set them"),
  note: z.string().optional(),
};

export const managedVariables = z.strictObject({
  organizationId: z.string(),
  version: z.int().describe("0: there have never been any"),
  values: z.record(z.string(), z.unknown()),
  ...written,
  createdAt: timestamp.optional(),
});
export type ManagedVariables = z.infer<typeof managedVariables>;
export const variablesAnswer = success(managedVariables);

export const setVariablesBody = z.strictObject({
  ...organizationScope,
  values: variableValues.describe("all of them"),
  version: z.int().min(0).describe("that was read: another one in force is refused with 409"),
  note: note.optional(),
});
export type SetVariablesBody = z.infer<typeof setVariablesBody>;

export const variableVersionsQuery = z.object({ ...organizationScope, ...pageQuery });
export type VariableVersionsQuery = z.infer<typeof variableVersionsQuery>;

export const variableVersion = z.strictObject({
  version: z.int(),
  active: z.boolean().describe("runs that are made now see it"),
  ...written,
  createdAt: timestamp,
  names: z.array(z.string()),
});
export type VariableVersion = z.infer<typeof variableVersion>;
export const variableVersionsAnswer = managedList(variableVersion);
