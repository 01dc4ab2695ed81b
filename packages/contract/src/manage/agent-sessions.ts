import { z } from "zod";
import { success, timestamp } from "../envelope.ts";
import { pageQuery, pagination } from "../paging.ts";

export const agentSessionsQuery = z.object(pageQuery);
export type AgentSessionsQuery = z.infer<typeof agentSessionsQuery>;

const agentSession = z.strictObject({
  sessionId: z.string(),
  externalId: z.string(),
  endUserId: z.string().optional(),
  sessionKey: z.string().optional().describe("given by the flow that chats"),
  turns: z.int(),
  createdAt: timestamp,
  lastActivityAt: timestamp,
});
export type AgentSessionWire = z.infer<typeof agentSession>;
export const agentSessionsAnswer = success(z.strictObject({ data: z.array(agentSession), pagination }));

const agentTurn = z.strictObject({
  number: z.int(),
  status: z.enum(["queued", "running", "completed", "failed"]),
  message: z.string().optional(),
  reply: z.string().optional().describe("of a turn that has ended"),
  error: z.string().optional().describe("the code of what went wrong"),
  toolCalls: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        input: z.string().optional().describe("the beginning of its arguments, as JSON"),
        output: z.string().optional().describe("the beginning of what it answered"),
        isError: z.boolean().optional(),
      }),
    )
    .optional()
    .describe("tools that were called, in their order; at most 100"),
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  firstOutputAt: timestamp.optional(),
  endedAt: timestamp.optional(),
  valuesHidden: z.boolean().optional().describe("the organization hides message and reply from viewers"),
});
export type AgentTurnWire = z.infer<typeof agentTurn>;
export const transcriptAnswer = success(
  z.strictObject({ session: agentSession, data: z.array(agentTurn), pagination }),
);
