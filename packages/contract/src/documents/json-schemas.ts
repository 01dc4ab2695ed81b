import { z } from "zod";
import { documentKinds, documentSchemas, workspaceDocument } from "./document.ts";
import { type DescribedNode, expressionSchema, nodeJsonSchemas } from "./node-schemas.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** File name to JSON Schema: one for every kind, and one that takes any document. */
export function documentJsonSchemas(nodes: Iterable<DescribedNode>): Record<string, object> {
  const nodeSchemas = nodeJsonSchemas(nodes);
  const kinds = documentKinds.map((kind) => {
    const schema = { title: kind, ...z.toJSONSchema(documentSchemas[kind], { io: "input" }) };
    return [
      `${kebabCase(kind)}.schema.json`,
      kind === "Flow" ? withNodeTypes(schema, schema, nodeSchemas) : schema,
    ];
  });
  const any = { title: "Millrace document", ...z.toJSONSchema(workspaceDocument, { io: "input" }) };
  const flow = any.oneOf!.find((option) => propertyOf(option as JsonSchema, "kind").const === "Flow");
  return Object.fromEntries([
    ...kinds,
    ["millrace.schema.json", withNodeTypes(any, flow as JsonSchema, nodeSchemas)],
  ]);
}

/** In place of nodes of any type, those of the catalogue, each by its `type`. */
function withNodeTypes(
  schema: JsonSchema,
  flow: JsonSchema,
  nodeSchemas: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  propertyOf(propertyOf(flow, "graph"), "nodes").items = {
    oneOf: Object.keys(nodeSchemas).map((name) => ({ $ref: `#/$defs/${name}` })),
  };
  return { ...schema, $defs: { ...schema.$defs, ...expressionSchema, ...nodeSchemas } };
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  return schema.properties![name] as JsonSchema;
}

function kebabCase(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
