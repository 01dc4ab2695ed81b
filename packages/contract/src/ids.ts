import { z } from "zod";

/** Ids the design application chooses. */
export const designId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -");
