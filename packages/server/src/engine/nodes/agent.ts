import { z } from "zod";
import { defineNode } from "./node-type.ts";

export const agent = defineNode({
  type: "agent",
  summary: "Sends a message to an agent of the same organization and waits for the whole reply.",
  inputs: z.object({
    agentId: z.string().min(1).describe("The agent."),
    message: z.string().min(1).max(32_000).describe("What to say."),
    sessionKey: z
      .string()
      .max(256)
      .nullish()
      .describe(
        "Messages with the same key go to the same session; without it each message starts a new one.",
      ),
  }),
  effect: true,
  target: { input: "agentId", kind: "agent" },
  output: "`{text, sessionId}`.",
  example: {
    inputs: {
      agentId: "agent_helper",
      message: "{{ trigger.body.question }}",
      sessionKey: "{{ trigger.body.user }}",
    },
  },
  async execute({ agentId, message, sessionKey }, { organizationId, depth, services, signal }) {
    const { text, sessionId } = await services.chat.send({
      organizationId,
      agentId,
      message,
      depth,
      signal,
      ...(sessionKey ? { sessionKey } : {}),
    });
    return { kind: "output", output: { text, sessionId } };
  },
});
