import type { Route } from "../http/route.ts";
import { listAuditRoute } from "../http/routes/manage/list-audit.ts";
import type { Foundation } from "./foundation.ts";

/** /manage: what people and programs change, beside runs. */
export function composeManageRoutes({ pools }: Foundation): Route[] {
  const context = { db: pools.api };
  return [listAuditRoute(context)];
}
