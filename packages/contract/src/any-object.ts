import { z } from "zod";

/** Handed on as it is: `z.record` would copy it key by key, and look at every value of which it knows nothing. */
export const anyObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  )
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} });
