import { anyObject } from "@millrace/contract/any-object";
import { z } from "zod";
import { demoReply } from "../../domain/agent/demo-reply.ts";
import { askModel, type ModelAnswer } from "../../upstream/ask-model.ts";
import { keyCredential } from "../../upstream/chat-completions.ts";
import { defineNode, NodeError } from "./node-type.ts";
import { readSecret } from "./support/credential.ts";
import { AnswerSchema } from "./support/answer-schema.ts";

/** The built-in offline provider, so that a first flow works without any key. */
const DEMO_MODEL = "demo";
const MAX_REPLY_MS = 300_000;

export const llm = defineNode({
  type: "llm",
  summary: "Asks a language model once, without tools or memory.",
  inputs: z.object({
    prompt: z.string().min(1).describe("What to ask."),
    system: z.string().nullish().describe("Standing instructions for the model."),
    model: z
      .string()
      .nullish()
      .describe(
        "The provider's name of the model; `demo` without a credential answers offline, without a model.",
      ),
    schema: anyObject
      .nullish()
      .describe("JSON Schema of the wanted answer; the answer is checked and parsed into `object`."),
  }),
  effect: true,
  touches: () => ({ changes: false, destroys: false, outside: true }),
  credential: { types: ["model-provider"], required: false },
  output:
    "`{text, object, usage}`: the reply, the parsed answer where there is a `schema`, and the counted tokens.",
  example: {
    inputs: { model: "small-1", system: "You are brief.", prompt: "Summarise: {{ trigger.body.text }}" },
    credential: "cred_llm",
  },
  async execute({ prompt, system, model, schema }, { organizationId, credential, services, signal }) {
    if (credential === undefined && model === DEMO_MODEL)
      return { kind: "output", output: demoAnswer(prompt) };
    const { baseUrl, apiKey } = readSecret(credential, "model-provider");
    if (!model) throw new NodeError("ModelMissing", "Set `model` to one of the provider's models.");
    const provider = {
      organizationId,
      baseUrl,
      model,
      credential: keyCredential(apiKey, credential),
      totalMs: MAX_REPLY_MS,
    };
    const checker = schema && new AnswerSchema(services.sandbox, schema, { organizationId, signal });
    await checker?.read();
    const question = { prompt, system: system ?? undefined, schema: schema ?? undefined, signal };
    const answer = await askModel(services.http, provider, question);
    const output = checker ? { ...answer, object: await checker.parse(answer.text) } : { ...answer };
    return { kind: "output", output };
  },
});

/** More than this the demo does not read. */
const MAX_DEMO_PROMPT = 100_000;

function demoAnswer(whole: string): Record<string, unknown> {
  const prompt = whole.slice(0, MAX_DEMO_PROMPT);
  const words = demoReply(prompt);
  const inputTokens = prompt.split(/\s+/).filter(Boolean).length;
  const usage: ModelAnswer["usage"] = {
    inputTokens,
    outputTokens: words.length,
    totalTokens: inputTokens + words.length,
  };
  return { text: words.join(""), usage };
}
