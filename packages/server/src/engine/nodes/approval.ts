import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { withoutNulls } from "./support/answers.ts";
import { durationInput, parseDurationMs } from "./support/duration.ts";

export const approval = defineNode({
  type: "approval",
  summary: "Makes the run PAUSED until somebody approves or rejects.",
  inputs: z.object({
    message: z.string().min(1).max(4_000).describe("What is to be decided."),
    timeout: durationInput()
      .nullish()
      .describe("How long to wait for an answer (`2d`); without it the run waits as long as it takes."),
  }),
  effect: false,
  pauses: true,
  handles: () => ["approved", "rejected", "timeout"],
  output: "`{decision, by, data}`: the answer, who gave it and what came with it.",
  example: { inputs: { message: "Refund {{ data.amount }} to {{ data.customer }}?", timeout: "2d" } },
  async execute({ message, timeout }, context) {
    const timeoutMs = timeout ? parseDurationMs(timeout) : undefined;
    const answer = await context.waitFor({
      kind: "approval",
      message,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return { kind: "output", output: withoutNulls(answer), handle: String(answer["decision"]) };
  },
});
