import { z } from "zod";
import { MAX_ANSWER_HEADERS, webhookHeaderFault } from "../../domain/webhook-answer.ts";
import { defineNode } from "./node-type.ts";
import { isObject } from "./support/values.ts";

const headers = z.record(z.string(), z.string()).superRefine((given, context) => {
  const entries = Object.entries(given);
  if (entries.length > MAX_ANSWER_HEADERS)
    context.addIssue({ code: "custom", message: `must have at most ${MAX_ANSWER_HEADERS} headers` });
  for (const [name, value] of entries) {
    const fault = webhookHeaderFault(name, value);
    if (fault !== undefined) context.addIssue({ code: "custom", path: [name], message: fault });
  }
});

export const returnNode = defineNode({
  type: "return",
  summary: "Ends the flow with a result. The first one that is reached wins.",
  inputs: z.object({
    value: z.unknown().optional().describe("The run's output; anything but an object becomes `{value}`."),
    status: z
      .int("must be a whole number")
      .min(200, "must be 200 to 599")
      .max(599, "must be 200 to 599")
      .nullish()
      .describe(
        "Of the answer to a webhook's caller, where the flow's `webhook.respond` waits for it; default 200.",
      ),
    headers: headers
      .nullish()
      .describe(
        "Of the same answer: `content-type`, `location`, `x-…` and the like. Cookies and what belongs to the connection or to the service are refused.",
      ),
  }),
  effect: false,
  handles: () => [],
  output: "None: the flow has ended.",
  example: { inputs: { value: { text: "{{ nodes.greet.text }}" } } },
  execute({ value }) {
    if (value === undefined || value === null) return { kind: "return", value: {} };
    return { kind: "return", value: isObject(value) ? value : { value } };
  },
});
