import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { anyValue } from "./support/input-schemas.ts";

export const template = defineNode({
  type: "template",
  summary: "Fills a text with values.",
  inputs: z.object({
    text: anyValue().describe(
      "The text, with `{{ … }}` where values go. Lists and objects are written as JSON.",
    ),
  }),
  effect: false,
  output: "`{text}`.",
  example: { inputs: { text: "Order {{ trigger.body.id }} is on its way." } },
  execute: ({ text }) => ({ kind: "output", output: { text: asText(text) } }),
});

function asText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
