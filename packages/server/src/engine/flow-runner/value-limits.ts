import { type JsonExcess, type JsonNotes, measureJson } from "../../domain/json-measure.ts";
import { NodeError } from "../nodes/node-type.ts";

const maxValues = 200_000;
/** More than what may come from outside: outputs wrap what they bring. */
const maxDepth = 150;

/** About the size of the value as JSON. @throws NodeError where it cannot be carried */
export function measureValue(what: string, value: unknown, maxBytes: number, notes: JsonNotes): number {
  const measured = measureJson(value, { bytes: maxBytes, values: maxValues, depth: maxDepth }, notes);
  if (typeof measured === "number") return measured;
  throw new NodeError(nameOf(what, measured), textOf(what, measured));
}

function nameOf(what: string, excess: JsonExcess): string {
  const side = what.startsWith("input") ? "Input" : "Output";
  return `${side}${excess === "depth" ? "TooDeep" : "TooLarge"}`;
}

function textOf(what: string, excess: JsonExcess): string {
  switch (excess) {
    case "bytes":
      return `The ${what} is larger than ${what.endsWith("run") ? 10 : 5} MB. Keep only what is needed.`;
    case "values":
      return `The ${what} holds more than ${maxValues.toLocaleString("en")} values. Keep only what is needed.`;
    case "depth":
      return `The ${what} is nested deeper than ${maxDepth} levels. Flatten it.`;
  }
}
