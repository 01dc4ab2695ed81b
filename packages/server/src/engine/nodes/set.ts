import { anyObject } from "@millrace/contract/any-object";
import { z } from "zod";
import { defineNode } from "./node-type.ts";

export const set = defineNode({
  type: "set",
  summary: "Makes an object of fixed values and expressions.",
  inputs: z.object({ values: anyObject.describe("The keys and values of the output.") }),
  effect: false,
  output: "The values.",
  example: { inputs: { values: { text: "Hello {{ trigger.body.name }}" } } },
  execute: ({ values }) => ({ kind: "output", output: values }),
});
