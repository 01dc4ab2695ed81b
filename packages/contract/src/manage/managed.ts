import { z } from "zod";
import { success } from "../envelope.ts";
import { designId } from "../ids.ts";
import { pagination } from "../paging.ts";

/** Which organization a request is about; part of every query under /manage, or of its body. */
export const organizationScope = {
  organizationId: designId
    .optional()
    .describe("the organization; may be left out where the caller reaches only one"),
};

/** A list under /manage. */
export const managedList = <Item extends z.ZodType>(item: Item) =>
  success(z.strictObject({ data: z.array(item), pagination }));

export const role = z.enum(["viewer", "member", "admin", "owner"]);
