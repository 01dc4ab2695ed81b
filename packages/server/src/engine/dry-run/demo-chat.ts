import type { AgentDocument } from "@millrace/contract/documents/agent";
import { demoReply } from "../../domain/agent/demo-reply.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type AgentChat, NodeError } from "../nodes/node-type.ts";

/** Chats with the agents of the files, as far as they need no model: those of the provider `demo`. */
export function createDemoChat(agents: readonly AgentDocument[], ids: IdMaker): AgentChat {
  const sessions = new Map<string, string>();
  return {
    async send({ organizationId, agentId, message, sessionKey }) {
      const agent = agents.find((one) => one.id === agentId && one.organizationId === organizationId);
      if (!agent)
        throw new NodeError(
          "AgentNotFound",
          `There is no agent ${agentId} of this organization in the files.`,
        );
      if (agent.design.provider.type !== "demo") {
        throw new NodeError(
          "AgentUnavailable",
          `The agent ${agentId} needs a model; a dry run reaches only agents whose provider is demo.`,
        );
      }
      const place = JSON.stringify([organizationId, agentId, sessionKey]);
      const sessionId = (sessionKey && sessions.get(place)) || ids.make("session");
      sessions.set(place, sessionId);
      return { text: demoReply(message).join(""), sessionId };
    },
  };
}
