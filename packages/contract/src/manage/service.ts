import { z } from "zod";
import { success, timestamp } from "../envelope.ts";

const managedProcess = z.strictObject({
  id: z.string(),
  role: z
    .string()
    .describe("`all`, `api` or `worker`; an `api` process answers requests and executes no runs"),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  startedAt: timestamp,
  heartbeatAt: timestamp,
  alive: z.boolean().describe("heard of in the last 15 seconds"),
  runs: z.int().describe("how many runs it executes"),
  here: z.boolean().describe("the process that answers"),
});
export type ManagedProcessWire = z.infer<typeof managedProcess>;
export const processesAnswer = success(z.strictObject({ data: z.array(managedProcess) }));

const managedDuty = z.strictObject({
  name: z.string(),
  intervalSeconds: z.number(),
  lastSuccessAt: timestamp.optional(),
  failures: z.int().describe("since the last success"),
  lastError: z.string().optional().describe("the name of the last failure since the last success"),
});
export type ManagedDutyWire = z.infer<typeof managedDuty>;
export const dutiesAnswer = success(z.strictObject({ processId: z.string(), data: z.array(managedDuty) }));

export const diskAnswer = success(
  z.strictObject({
    data: z.array(
      z.strictObject({ check: z.string(), status: z.enum(["ok", "warn", "fail"]), message: z.string() }),
    ),
  }),
);
