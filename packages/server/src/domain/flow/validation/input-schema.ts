import type { FlowSettings } from "@millrace/contract/documents/flow";
import { pathText } from "../../documents/fault.ts";
import { readSchema } from "../../json-schema/read-schema.ts";
import type { SchemaNode } from "../../json-schema/schema-node.ts";
import type { Sliced } from "../../sliced.ts";

/** The schema of `trigger.body`, read. Documents with faults in it are refused; this is for versions stored before a rule was made. */
export function* checkInputSchema({
  input,
}: FlowSettings): Sliced<{ input: SchemaNode | undefined; errors: string[] }> {
  if (input === undefined) return { input, errors: [] };
  const { schema, problems } = yield* readSchema(input);
  const errors = problems.map(
    ({ path, message }) => `The flow's ${pathText(["input", ...path])} ${message}.`,
  );
  return { input: schema, errors };
}
