import type { FlowDocument } from "@millrace/contract/documents/flow";
import { DEFAULT_TIMEZONE, nextScheduledTime } from "../../domain/cron.ts";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { findStoredFlow, type StoredFlow } from "../../storage/catalogue/find-stored-flow.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putDraft } from "../../storage/catalogue/put-draft.ts";
import { putFlow } from "../../storage/catalogue/put-flow.ts";
import { putFlowVersion } from "../../storage/catalogue/put-flow-version.ts";
import { putSchedules, type ScheduleRow } from "../../storage/catalogue/put-schedules.ts";
import { touchFlow } from "../../storage/catalogue/touch-flow.ts";
import type { ApplyContext } from "./apply-context.ts";
import { partsLeft } from "./parts-left.ts";
import { putFlowWebhook } from "./put-flow-webhook.ts";
import { versionFor } from "./version-for.ts";

interface PutFlow {
  readonly outcome: Outcome;
  /** The one in force; none where there is nothing but a draft. */
  readonly version: string | undefined;
  /** Parts of the document that a draft does not hold, and that stay as they are stored. */
  readonly left?: readonly string[];
}

/** Publishes the flow of a document, or keeps it as the flow's draft: then whatever is in force stays in force. */
export async function putFlowDocument(
  context: ApplyContext,
  document: FlowDocument,
  isDraft: boolean,
): Promise<PutFlow> {
  const { db } = context;
  const { organizationId, id, graph } = document;
  const stored = await findStoredFlow(db, organizationId, id);
  if (!isDraft) return publish(context, document, stored);
  const draft = { organizationId, flowId: id, graph, settings: settingsOf(document), author: context.author };
  if (stored && !stored.deleted) {
    const isChanged = await putDraft(db, draft);
    return {
      outcome: isChanged ? "updated" : "unchanged",
      version: stored.version ?? undefined,
      left: await partsLeft(db, document),
    };
  }
  await putRow(context, document, undefined);
  await putParts(context, document);
  await putDraft(db, draft);
  return { outcome: "created", version: stored?.version ?? undefined };
}

async function publish(
  context: ApplyContext,
  document: FlowDocument,
  stored: StoredFlow | undefined,
): Promise<PutFlow> {
  const { db, author, note } = context;
  const { organizationId, id: flowId, graph } = document;
  const settings = settingsOf(document);
  const { version, hash } = await versionFor(context, { organizationId, flowId, graph, settings, stored });
  const row = await putRow(context, document, version);
  const parts = [
    await putFlowVersion(db, { organizationId, flowId, version, hash, graph, settings, author, note }),
    await putParts(context, document),
  ];
  if (stored?.deleted) return { outcome: "created", version };
  if (row !== "unchanged" || !parts.includes(true)) return { outcome: row, version };
  await touchFlow(db, organizationId, flowId);
  return { outcome: "updated", version };
}

function putRow({ db }: ApplyContext, document: FlowDocument, version: string | undefined): Promise<Outcome> {
  const { organizationId, id, name, slug, active } = document;
  return putFlow(db, { organizationId, id, name, slug: slug ?? null, active, version, managedBy: "apply" });
}

/** Says whether anything changed. */
async function putParts(context: ApplyContext, document: FlowDocument): Promise<boolean> {
  const { organizationId, id } = document;
  const webhook = await putFlowWebhook(context, document);
  const schedules = await putSchedules(
    context.db,
    organizationId,
    id,
    await scheduleRows(document, context.now),
  );
  return webhook || schedules;
}

/** A flow may have a hundred, and to find the next time of a rare one takes two milliseconds. */
async function scheduleRows({ organizationId, schedules = [] }: FlowDocument, now: Date) {
  const rows: ScheduleRow[] = [];
  for (const { id, cron, timezone = DEFAULT_TIMEZONE, data = {} } of schedules) {
    rows.push({ id, cron, timezone, data, nextAt: nextScheduledTime(cron, timezone, now) });
    await eventLoop.giveWay(organizationId);
  }
  return rows;
}
