import { z } from "zod";
import { flowGraphSchema } from "../documents/graph.ts";
import { managedList } from "./managed.ts";

export const flowTemplate = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  nodeTypes: z.array(z.string()).describe("of its nodes, in the order in which they stand"),
  credentials: z
    .array(z.strictObject({ id: z.string(), type: z.string() }))
    .describe("that its nodes name; choose your own in their place"),
  graph: flowGraphSchema.loose(),
  input: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of `trigger.body`"),
  yaml: z.string().describe("the documents, as `apply` takes them"),
  test: z.string().describe("the tests, as `flows test` takes them"),
  picture: z.string().describe("SVG"),
});
export type FlowTemplate = z.infer<typeof flowTemplate>;
export const templatesAnswer = managedList(flowTemplate);
