import { measureJson } from "../json-measure.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface ToolSchema {
  /** Of the arguments: always of an object, as models are given nothing else. */
  readonly schema: Schema;
  /** `trigger.body` of arguments that fit it. */
  bodyOf(given: Readonly<Record<string, unknown>>): unknown;
}

const LIMITS = { bytes: 64_000, values: Infinity, depth: 64 };

/** What a flow takes as a tool. A body that is no object is an argument of its own, named `body`. */
export function toolSchema(input: Schema | undefined): ToolSchema {
  if (!input || !isSmall(input)) return { schema: { type: "object" }, bodyOf: (given) => given };
  if (input["type"] === "object") return { schema: input, bodyOf: (given) => given };
  // References begin at the root.
  const { $defs, $schema: _, ...body } = input;
  const schema = {
    type: "object",
    properties: { body },
    required: ["body"],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
  return { schema, bodyOf: (given) => given["body"] };
}

/** A larger one would fill what a model reads; the flow checks the arguments in any case. */
function isSmall(input: Schema): boolean {
  return typeof measureJson(input, LIMITS) === "number";
}
