import { z } from "zod";
import { unknownName } from "./nearest-name.ts";

/** An object in which a key that is not known is a fault, so that a typing mistake is never silently ignored. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownName("key", key, Object.keys(shape))).join(BETWEEN_KEYS)
        : undefined,
  });
}

/** A fault of several keys holds a text for each, one a line. */
export function textsOfKeys(message: string): string[] {
  return message.split(BETWEEN_KEYS);
}

const BETWEEN_KEYS = "\n";
