import { modelsAnswer } from "@millrace/contract/completions";
import { listModels } from "../../../operations/agents/list-models.ts";
import { presentModel, presentOpenAiError } from "../../presenters/completion.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listModelsRoute = (context: ContextOf<typeof listModels>) =>
  defineRoute({
    method: "GET",
    path: "/v1/models",
    name: "listModels",
    summary: "The agents that can be chatted with, as OpenAI's clients list models",
    tag: "OpenAI",
    access: "key",
    presentError: presentOpenAiError,
    answers: { 200: { description: "The agents", schema: modelsAnswer } },
    errors: [],
    async handle({ principal }) {
      const agents = await listModels(context, principal);
      return { status: 200, body: { object: "list", data: agents.map(presentModel) } };
    },
  });
