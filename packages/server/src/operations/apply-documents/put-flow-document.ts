import type { FlowDocument } from "@millrace/contract/documents/flow";
import { DEFAULT_TIMEZONE, nextScheduledTime } from "../../domain/cron.ts";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import { nextVersion, versionDay } from "../../domain/version-number.ts";
import { countVersionsOfDay } from "../../storage/catalogue/count-versions-of-day.ts";
import { findStoredFlow } from "../../storage/catalogue/find-stored-flow.ts";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putFlow } from "../../storage/catalogue/put-flow.ts";
import { putFlowVersion } from "../../storage/catalogue/put-flow-version.ts";
import { putSchedules } from "../../storage/catalogue/put-schedules.ts";
import { touchFlow } from "../../storage/catalogue/touch-flow.ts";
import type { ApplyContext } from "./apply-context.ts";
import { putFlowWebhook } from "./put-flow-webhook.ts";

/** A new version only where the graph would run differently; a node that was dragged is just stored. */
export async function putFlowDocument(
  context: ApplyContext,
  document: FlowDocument,
): Promise<{ outcome: Outcome; version: string }> {
  const { db, now } = context;
  const { organizationId, id, name, slug, active, graph } = document;
  const stored = await findStoredFlow(db, organizationId, id);
  const hash = hashExecutableGraph(graph);
  const version = stored?.hash === hash ? stored.version : await newVersion(context, document);
  const row = await putFlow(db, { organizationId, id, name, slug: slug ?? null, active, version });
  const parts = [
    await putFlowVersion(db, { organizationId, flowId: id, version, hash, graph }),
    await putFlowWebhook(context, document),
    await putSchedules(db, organizationId, id, scheduleRows(document, now)),
  ];
  if (stored?.deleted) return { outcome: "created", version };
  if (row !== "unchanged" || !parts.includes(true)) return { outcome: row, version };
  await touchFlow(db, organizationId, id);
  return { outcome: "updated", version };
}

async function newVersion({ db, now }: ApplyContext, { organizationId, id }: FlowDocument): Promise<string> {
  const day = versionDay(now);
  return nextVersion(day, await countVersionsOfDay(db, organizationId, id, day));
}

function scheduleRows({ schedules = [] }: FlowDocument, now: Date) {
  return schedules.map(({ id, cron, timezone = DEFAULT_TIMEZONE, data = {} }) => ({
    id,
    cron,
    timezone,
    data,
    nextAt: nextScheduledTime(cron, timezone, now),
  }));
}
