import { z } from "zod";
import { unknownName } from "./nearest-name.ts";

/** The names that are known, by the message of a fault. */
const namesOf = new Map<string, readonly string[]>();

/** An object in which a key that is not known is a fault, so that a typing mistake is never silently ignored. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  const message = `has unknown keys; known are ${names.join(", ")}`;
  namesOf.set(message, names);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? message : undefined),
  });
}

/** What to say of each key that an object does not know. Made only where it is shown: there may be very many. */
export function* faultsOfKeys({ keys, message }: z.core.$ZodIssueUnrecognizedKeys): Generator<{
  readonly path: readonly string[];
  readonly message: string;
}> {
  const names = namesOf.get(message);
  if (names) for (const key of keys) yield { path: [key], message: unknownName("key", key, names) };
  else yield { path: [], message };
}
