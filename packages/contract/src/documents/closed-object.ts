import { z } from "zod";
import { nearestName } from "./nearest-name.ts";

/** An object in which a key that is not known is a fault, so that a typing mistake is never silently ignored. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys" ? unknownKeysText(issue.keys, Object.keys(shape)) : undefined,
  });
}

function unknownKeysText(keys: readonly string[], known: readonly string[]): string {
  return keys
    .map((key) => {
      const nearest = nearestName(key, known);
      return nearest === undefined
        ? `unknown key "${key}"; known are ${known.join(", ")}`
        : `unknown key "${key}"; did you mean "${nearest}"?`;
    })
    .join("; ");
}
