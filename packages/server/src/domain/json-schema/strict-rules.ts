import type { Problem } from "../documents/fault.ts";
import { keywords } from "./keywords.ts";
import type { JsonType, SchemaContext } from "./schema-node.ts";

/** The rules of ajv's strict mode: nothing in a schema may be there without an effect. Says also which types are left. */
export function strictProblems(
  schema: Readonly<Record<string, unknown>>,
  context: SchemaContext,
  usable: readonly string[],
): { types: readonly JsonType[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const has = (name: string) => usable.includes(name);
  const stated = has("type") ? ([schema["type"]].flat() as JsonType[]) : [];
  for (const type of stated)
    if (context.types.length > 0 && !allows(context.types, type))
      problems.push({
        path: ["type"],
        message: `cannot be ${type}: the schema above allows ${context.types.join(", ")}`,
      });
  const types = narrowed(context.types, stated);
  for (const name of usable) {
    const { for: type, needs } = keywords[name]!;
    if (type !== undefined && !types.some((one) => one === type || (type === "number" && one === "integer")))
      problems.push({ path: [name], message: `needs "type": "${type}" beside it` });
    if (needs && !needs.some(has))
      problems.push({ path: [name], message: `has no effect without ${needs.join(" or ")}` });
  }
  const minContains = (has("minContains") ? schema["minContains"] : 1) as number;
  if (has("maxContains") && minContains > (schema["maxContains"] as number))
    problems.push({
      path: ["maxContains"],
      message: "is less than minContains, which is 1 where it is not given",
    });
  if (has("minContains") && schema["minContains"] === 0 && !has("maxContains"))
    problems.push({ path: ["minContains"], message: "makes contains have no effect where it is 0" });
  if (has("prefixItems")) problems.push(...tupleProblems(schema));
  return { types, problems };
}

function tupleProblems(schema: Readonly<Record<string, unknown>>): Problem[] {
  const length = (schema["prefixItems"] as unknown[]).length;
  const isWhole =
    schema["minItems"] === length && (schema["maxItems"] === length || schema["items"] === false);
  if (isWhole) return [];
  const message = `needs "minItems": ${length} and "items": false beside it`;
  return [{ path: ["prefixItems"], message }];
}

function allows(types: readonly JsonType[], type: JsonType): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function narrowed(known: readonly JsonType[], stated: readonly JsonType[]): readonly JsonType[] {
  if (stated.length === 0) return known;
  if (known.length === 0) return stated;
  return known.flatMap((type): JsonType[] => {
    if (allows(stated, type)) return [type];
    return type === "number" && stated.includes("integer") ? ["integer"] : [];
  });
}
