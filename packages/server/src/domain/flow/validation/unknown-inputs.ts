import { unknownName } from "@millrace/contract/documents/nearest-name";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { z } from "zod";
import type { Sliced } from "../../sliced.ts";
import type { NodeCatalogue } from "../catalogue.ts";
import { takesAnyInput } from "../node-inputs.ts";
import { maxTexts } from "./shown-texts.ts";

/** A key inside the inputs of a node that its type does not read. */
interface UnknownInput {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What the inputs of nodes state and nobody would read, at any depth: typing mistakes that would never be noticed, or the first of many. */
export function* unknownInputs({ nodes }: FlowGraph, catalogue: NodeCatalogue): Sliced<UnknownInput[]> {
  const found: UnknownInput[] = [];
  for (const [index, node] of nodes.entries()) {
    const kind = catalogue.get(node.type);
    if (kind === undefined || takesAnyInput(kind)) continue;
    const path = ["graph", "nodes", index, "data", "inputs"];
    yield* look(kind.inputs, node.data?.inputs, path, "input", found);
    yield;
  }
  return found;
}

/** The parts of a schema that are gone through; those of other types hold nothing that could be misspelt. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
}

function* look(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  what: string,
  found: UnknownInput[],
): Sliced<void> {
  if (typeof value !== "object" || value === null) return;
  const { innerType, out, element, shape, catchall } = schema._zod.def as Definition;
  const inside = innerType ?? out;
  if (inside) yield* look(inside, value, path, what, found);
  else if (element && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* look(element, item, [...path, index], "key", found);
      yield;
    }
  } else if (shape && !Array.isArray(value)) {
    const isClosed = catchall === undefined || catchall._zod.def.type === "never";
    for (const [key, item] of Object.entries(value)) {
      if (Object.hasOwn(shape, key)) yield* look(shape[key]!, item, [...path, key], "key", found);
      else if (isClosed && found.length < maxTexts)
        found.push({ path: [...path, key], message: unknownName(what, key, Object.keys(shape)) });
      yield;
    }
  }
}
