import { z } from "zod";
import { timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

export const approvalsQuery = z.object({ ...organizationScope, ...pageQuery });
export type ApprovalsQuery = z.infer<typeof approvalsQuery>;

/** A question that a run waits with. */
export const managedApproval = z.strictObject({
  runId: z.string(),
  flowId: z.string(),
  flowName: z.string(),
  nodeId: z.string(),
  nodeKey: z.string().describe("what an answer names: the node id, with the round inside containers: ask[3]"),
  message: z.string().optional(),
  assignees: z.array(z.string()).optional().describe("who may answer with a key, beside admins and owners"),
  form: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the answer's data"),
  askedAt: timestamp,
  until: timestamp.optional(),
  mayAnswer: z.boolean().describe("whether the caller may"),
  valuesHidden: z.boolean().optional().describe("the organization hides message and form from viewers"),
});
export type ManagedApproval = z.infer<typeof managedApproval>;
export const approvalsAnswer = managedList(managedApproval);
