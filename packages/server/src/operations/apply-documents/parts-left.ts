import { isDeepStrictEqual } from "node:util";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import { delayMs } from "@millrace/contract/duration";
import { DEFAULT_TIMEZONE } from "../../domain/cron.ts";
import { findFlowDocument, listScheduleDocuments } from "../../storage/export/find-flow-document.ts";
import type { Db } from "../../storage/pool.ts";

/**
 * What a document says of a flow that a draft does not hold, where it is not what is stored: it belongs to the flow, whatever
 * its version, and nothing of a flow changes before it is published.
 */
export async function partsLeft(db: Db, document: FlowDocument): Promise<string[]> {
  const { organizationId, id, name, slug = null, active, webhook, schedules = [] } = document;
  const stored = await findFlowDocument(db, organizationId, id);
  if (!stored) return [];
  const planned = schedules.map(({ timezone = DEFAULT_TIMEZONE, data = {}, ...rest }) => ({
    ...rest,
    timezone,
    data,
  }));
  const respondWaitMs = webhook?.respond ? delayMs(webhook.respond.wait) : null;
  const isSame: Readonly<Record<string, boolean>> = {
    name: name === stored.name,
    slug: slug === stored.slug,
    active: (active ?? stored.active) === stored.active,
    webhook: (webhook?.enabled ?? null) === stored.webhook && respondWaitMs === stored.respondWaitMs,
    schedules: isDeepStrictEqual(byId(planned), byId(await listScheduleDocuments(db, organizationId, id))),
  };
  return Object.keys(isSame).filter((part) => !isSame[part]);
}

function byId(schedules: readonly { readonly id: string }[]): ReadonlyMap<string, object> {
  return new Map(schedules.map((schedule) => [schedule.id, { ...schedule }]));
}
