import { z } from "zod";
import { success, timestamp } from "../envelope.ts";
import { managedList, organizationScope } from "./managed.ts";
import { pageQuery } from "../paging.ts";

export const schedulesQuery = z.object({ ...organizationScope, ...pageQuery });
export type SchedulesQuery = z.infer<typeof schedulesQuery>;

export const schedule = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  organizationId: z.string(),
  cron: z.string(),
  timezone: z.string(),
  data: z.record(z.string(), z.unknown()).describe("`data` of its runs"),
  state: z
    .enum(["running", "paused", "flow-inactive", "flow-draft"])
    .describe("why it starts nothing, where it does not"),
  next: z.array(timestamp).describe("the next five times; none while it rests"),
});
export type Schedule = z.infer<typeof schedule>;
export const schedulesAnswer = managedList(schedule);
export const scheduleAnswer = success(schedule);
