import { z } from "zod";
import { success } from "./envelope.ts";

export const webhookAcceptedAnswer = success(
  z.union([
    z.strictObject({ runId: z.string().describe("starts with run_") }),
    z.strictObject({ queueId: z.string().describe("starts with queue_") }),
  ]),
);
