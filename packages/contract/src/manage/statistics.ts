import { z } from "zod";
import { success, timestamp } from "../envelope.ts";
import { designId } from "../ids.ts";
import { runStatuses } from "../run-status.ts";
import { createdAtFilter } from "../runs.ts";
import { organizationScope } from "./managed.ts";

const counts = z.partialRecord(z.enum(runStatuses), z.int());

export const runCountsQuery = z.object({
  ...organizationScope,
  "filter[flowId]": designId.optional().describe("only this flow"),
  ...createdAtFilter,
});
export type RunCountsQuery = z.infer<typeof runCountsQuery>;

const runCounts = z.strictObject({
  from: timestamp.describe("the first minute that was counted; later than asked for where complete is false"),
  to: timestamp,
  complete: z
    .boolean()
    .describe("false: there are more than a million; only the newest minutes were counted"),
  totals: counts,
  minutes: z
    .array(z.strictObject({ minute: timestamp, counts }))
    .describe("by the minute of creation, oldest first; minutes without runs are left out"),
});
export type RunCountsWire = z.infer<typeof runCounts>;
export const runCountsAnswer = success(runCounts);

export const flowStatisticsQuery = z.object(createdAtFilter);
export type FlowStatisticsQuery = z.infer<typeof flowStatisticsQuery>;

const figures = {
  failed: z.int().describe("FAILED, CRASHED and TIMED_OUT"),
  errorRate: z.number().nullable().describe("0 to 1; null where nothing has ended"),
  p50Seconds: z.number().nullable(),
  p95Seconds: z.number().nullable(),
};

const flowStatistics = z.strictObject({
  flowId: z.string(),
  from: timestamp,
  to: timestamp,
  runs: z
    .strictObject({ ended: z.int(), ...figures })
    .describe("of those created in this time that have ended, without canceled ones; the newest 10,000"),
  nodes: z
    .array(z.strictObject({ nodeId: z.string(), type: z.string(), executions: z.int(), ...figures }))
    .describe("rounds of a container count one by one"),
  sampledRuns: z
    .int()
    .describe("how many of the newest runs the figures of nodes were taken from, at most 500"),
});
export type FlowStatisticsWire = z.infer<typeof flowStatistics>;
export const flowStatisticsAnswer = success(flowStatistics);
