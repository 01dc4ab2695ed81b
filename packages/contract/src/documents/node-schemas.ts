import { z } from "zod";
import { flowNode, nodeData } from "./graph.ts";

/** What a schema says of a node type. */
export interface DescribedNode {
  readonly type: string;
  readonly summary: string;
  readonly inputs: z.ZodObject;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** One closed schema a node type, so that an editor marks a misspelt input as it is typed. */
export function nodeJsonSchemas(nodes: Iterable<DescribedNode>): Record<string, JsonSchema> {
  return Object.fromEntries([...nodes].map((node) => [`node-${node.type}`, nodeSchema(node)]));
}

function nodeSchema({ type, summary, inputs }: DescribedNode): JsonSchema {
  const shape = flowNode.extend({
    type: z.literal(type),
    data: nodeData.extend({ inputs: z.unknown().optional() }).nullish(),
  });
  const schema = plainSchema(shape);
  const data = (schema.properties!["data"] as JsonSchema).anyOf![0] as JsonSchema;
  data.properties!["inputs"] = { anyOf: [inDocument(plainSchema(inputs)), { type: "null" }] };
  return { description: summary, ...schema };
}

function plainSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return plain;
}

/** What may stand in the place of any value: an expression, or nothing yet. Every schema of a node refers to it. */
export const expressionSchema: Record<string, JsonSchema> = {
  expression: { anyOf: [{ type: "string", pattern: "\\{\\{" }, { enum: ["", null] }] },
};

/**
 * A value as documents state it: any part of it may be an expression, and what is required may be left to the trigger.
 * Objects are closed, because whatever a node does not know it would not read.
 */
function inDocument(schema: JsonSchema): JsonSchema {
  const { required: _, ...rest } = schema;
  if (rest.anyOf) return { ...rest, anyOf: rest.anyOf.map((option) => inDocument(option as JsonSchema)) };
  if (rest.properties) {
    const properties = Object.entries(rest.properties).map(([name, property]) => [
      name,
      orExpression(property as JsonSchema),
    ]);
    const additionalProperties = rest.additionalProperties ?? false;
    return { ...rest, properties: Object.fromEntries(properties), additionalProperties };
  }
  if (rest.type === "object" && typeof rest.additionalProperties === "object")
    return { ...rest, additionalProperties: orExpression(rest.additionalProperties) };
  if (rest.items) return { ...rest, items: orExpression(rest.items as JsonSchema) };
  return rest;
}

function orExpression(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  return { ...(description && { description }), anyOf: [inDocument(rest), { $ref: "#/$defs/expression" }] };
}
