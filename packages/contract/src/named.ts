import type { z } from "zod";

/** Schemas of one area under the names that OpenAPI and the clients give them. */
export interface NamedSchemas {
  /** As the service answers. */
  readonly answers: Readonly<Record<string, z.ZodType>>;
  /** As callers write them: what has a default may be left out. */
  readonly requests: Readonly<Record<string, z.ZodType>>;
}
