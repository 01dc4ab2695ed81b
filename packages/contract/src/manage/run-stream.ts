import { z } from "zod";
import { timestamp } from "../envelope.ts";
import { runStatuses } from "../run-status.ts";
import { organizationScope } from "./managed.ts";

/** A message of the live stream of an organization: a run as it is now. */
export const runChange = z.strictObject({
  runId: z.string(),
  flowId: z.string(),
  status: z.enum(runStatuses),
  updatedAt: timestamp,
});
export type RunChange = z.infer<typeof runChange>;

export const organizationQuery = z.object(organizationScope);
