import type { QueueQuery } from "@millrace/contract/queue";
import { type Page, toPage } from "../../domain/cursor.ts";
import { type Principal, requireMembership } from "../../domain/principal.ts";
import { toRunPageRequest } from "../../domain/run-filters.ts";
import type { QueueItemRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { listQueueItems as readQueueItems } from "../../storage/queue/list-queue-items.ts";

export async function listQueueItems(
  { db }: { readonly db: Db },
  principal: Principal,
  query: QueueQuery,
): Promise<Page<QueueItemRecord>> {
  const organizationId = query["filter[organizationId]"];
  requireMembership(principal, organizationId);
  const page = toRunPageRequest(`queue of ${organizationId}`, query);
  return toPage(page, await readQueueItems(db, organizationId, page));
}
