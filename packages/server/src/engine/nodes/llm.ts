import { z } from "zod";
import { demoReply } from "../../domain/agent/demo-reply.ts";
import type { ModelReply } from "../../upstream/model-provider.ts";
import { defineNode, NodeError } from "./node-type.ts";
import { readSecret } from "./support/credential.ts";
import { anyObject } from "./support/input-schemas.ts";

/** The built-in offline provider, so that a first flow works without any key. */
const DEMO_MODEL = "demo";

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
    schema: anyObject()
      .nullish()
      .describe("JSON Schema of the wanted answer; the answer is checked and parsed into `object`."),
  }),
  effect: true,
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
    // Loaded with the first node that needs it: most processes never do, and it is large.
    const { askModel, openModel } = await import("../../upstream/model-provider.ts");
    const allowedHosts = credential?.allowedHosts ?? [];
    const opened = openModel(services.http, { organizationId, baseUrl, apiKey, allowedHosts, model });
    const reply = await askModel(opened, {
      prompt,
      system: system ?? undefined,
      schema: schema ?? undefined,
      signal,
    });
    return { kind: "output", output: { ...reply } };
  },
});

function demoAnswer(prompt: string): Record<string, unknown> {
  const words = demoReply(prompt);
  const inputTokens = prompt.split(/\s+/).filter(Boolean).length;
  const usage: ModelReply["usage"] = {
    inputTokens,
    outputTokens: words.length,
    totalTokens: inputTokens + words.length,
  };
  return { text: words.join(""), usage };
}
