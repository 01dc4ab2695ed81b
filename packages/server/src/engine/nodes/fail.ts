import { z } from "zod";
import { defineNode } from "./node-type.ts";
import { textLike } from "./support/input-schemas.ts";

export const fail = defineNode({
  type: "fail",
  summary: "Ends the flow FAILED with a message.",
  inputs: z.object({ message: textLike().describe("The text of the run's error.") }),
  effect: false,
  handles: () => [],
  output: "None: the flow has ended.",
  example: { inputs: { message: "No customer {{ data.customerId }}" } },
  execute({ message }) {
    return { kind: "fail", error: { name: "FlowFailed", message: String(message) } };
  },
});
