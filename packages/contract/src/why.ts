import { z } from "zod";
import { success, timestamp } from "./envelope.ts";
import { runStatuses } from "./run-status.ts";

/** Why a run does not go on right now; the first two: it does, or it has ended. */
export const whyCauses = [
  "ended",
  "executing",
  "slot",
  "delay",
  "retry",
  "approval",
  "timer",
  "subflow",
  "credits",
  "suspended_organization",
  "worker",
  "no_worker",
  "lost_worker",
] as const;
export type WhyCause = (typeof whyCauses)[number];

/** What is also true, and may surprise whoever waits. */
export const whyNotes = ["inactive_flow", "no_worker", "suspended_organization"] as const;
export type WhyNote = (typeof whyNotes)[number];

const holder = z.strictObject({
  runId: z.string(),
  flowId: z.string(),
  status: z.enum(runStatuses),
  since: timestamp.describe("when it got the slot; of a sub-flow, when it was started"),
});

const error = z.strictObject({
  name: z.string(),
  message: z.string().optional().describe("left out for those who do not see values"),
  nodeKey: z.string().describe("the node that failed"),
});

const needs = z.strictObject({
  kind: z.enum(["approval", "credits"]),
  nodeKey: z.string().optional().describe("of the approval"),
  message: z.string().optional().describe("the question of the approval"),
  role: z.string().optional().describe("the least role of those who may answer"),
  assignees: z
    .array(z.string())
    .optional()
    .describe("users, by id or address: of the members they alone may answer, beside admins and owners"),
  link: z.string().optional().describe("a single-use link that answers the approval without a key"),
});

const action = z.strictObject({
  action: z.enum([
    "cancel",
    "approve",
    "why",
    "raise_limit",
    "start_worker",
    "grant_credits",
    "activate_flow",
    "lift_suspension",
  ]),
  command: z.string().describe("of the command line"),
  method: z.string().optional(),
  path: z.string().optional().describe("of this API, where it can be done here"),
});

const why = z.strictObject({
  waiting: z.boolean().describe("false: the run executes, or it has ended"),
  cause: z.enum(whyCauses),
  reason: z.string().describe("one sentence, in the language of X-Locale"),
  since: timestamp.describe("since when this is so"),
  until: timestamp.optional().describe("when it is over"),
  untilIsEstimate: z
    .boolean()
    .optional()
    .describe("until follows from how long runs of the same flows took lately"),
  position: z.int().optional().describe("place in the queue, 1 = next"),
  positionIsMinimum: z
    .boolean()
    .optional()
    .describe("so many are before it that they were not counted to the end: position is the least it can be"),
  heldBy: z
    .array(holder)
    .optional()
    .describe("the runs that hold the slots, at most ten, the oldest first; or the runs of sub-flows"),
  error: error.optional().describe("after which it is tried again"),
  needs: needs.optional().describe("what somebody has to do"),
  notes: z.array(z.enum(whyNotes)).optional().describe("what is also true"),
  actions: z
    .array(action)
    .describe("what can be done about it; only what this key may do, where a role is needed"),
});
export type Why = z.infer<typeof why>;
export type WhyAction = z.infer<typeof action>;

export const whyAnswer = success(why);
