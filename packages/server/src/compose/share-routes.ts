import type { Route } from "../http/route.ts";
import { revokeShareRoute } from "../http/routes/manage/revoke-share.ts";
import { shareRunRoute } from "../http/routes/manage/share-run.ts";
import { viewShareRoute } from "../http/routes/view-share.ts";
import type { Foundation } from "./foundation.ts";

/** Links that show one run to whoever has them. */
export function composeShareRoutes({ pools, ids, library }: Foundation, webUrl: () => string): Route[] {
  const context = { pool: pools.api, db: pools.api, ids, library, webUrl };
  return [shareRunRoute(context), revokeShareRoute(context), viewShareRoute(context)];
}
