import { z } from "zod";
import { overDefault } from "../../domain/flow/trigger-body.ts";
import { defineNode } from "./node-type.ts";

export const start = defineNode({
  type: "start",
  summary: "Where the flow begins. Its inputs are defaults for what the trigger leaves out.",
  inputs: z.looseObject({}),
  effect: false,
  output: "`{body, headers, query, method}` of the trigger, laid over the defaults key by key.",
  example: { inputs: { body: { name: "world" } } },
  execute(defaults, { trigger }) {
    return {
      kind: "output",
      output: {
        ...defaults,
        body: overDefault(trigger.body, defaults["body"]),
        headers: overDefault(trigger.headers, defaults["headers"]),
        query: overDefault(trigger.query, defaults["query"]),
        method: trigger.method ?? defaults["method"] ?? "POST",
      },
    };
  },
});
