import { model } from "@millrace/contract/completions";
import { reachableAgent } from "../../../operations/agent-chat/complete-chat.ts";
import { presentModel, presentOpenAiError } from "../../presenters/completion.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getModelRoute = (context: ContextOf<typeof reachableAgent>) =>
  defineRoute({
    method: "GET",
    path: "/v1/models/{agentId}",
    name: "getModel",
    summary: "One agent, as OpenAI's clients get a model",
    tag: "OpenAI",
    access: "key",
    presentError: presentOpenAiError,
    answers: { 200: { description: "The agent", schema: model } },
    errors: ["invalid_agent_id", "agent_not_found"],
    async handle({ principal, params }) {
      return { status: 200, body: presentModel(await reachableAgent(context, principal, params.agentId!)) };
    },
  });
