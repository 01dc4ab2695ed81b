import { z } from "zod";

const MAX_VARIABLES = 500;

/** Plain values that expressions read as `vars.<name>`. */
export const variableValues = z
  .record(
    z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
        "Use a name of 1 to 64 letters, digits or _, not beginning with a digit",
      ),
    z.unknown(),
  )
  .refine((values) => Object.keys(values).length <= MAX_VARIABLES, `must be at most ${MAX_VARIABLES}`);
export type VariableValues = Readonly<Record<string, unknown>>;
