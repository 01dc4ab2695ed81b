import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { isObject } from "./support/values.ts";

export const returnNode = defineNode({
  type: "return",
  summary: "Ends the flow with a result. The first one that is reached wins.",
  inputs: z.object({
    value: z.unknown().optional().describe("The run's output; anything but an object becomes `{value}`."),
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
