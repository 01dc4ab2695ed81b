import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { Actor } from "../../domain/actor.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findStoredFlow } from "../../storage/catalogue/find-stored-flow.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import { putFlowVersion } from "../../storage/catalogue/put-flow-version.ts";
import { setVersion } from "../../storage/manage-flows/set-version.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import { type AuditContext, recordAudit } from "../audit/record-audit.ts";
import { versionFor } from "../apply-documents/version-for.ts";

export interface NewVersion {
  readonly organizationId: string;
  readonly flowId: string;
  readonly graph: FlowGraph;
  /** What the version says beside it. */
  readonly settings: FlowSettings;
  readonly note: string | undefined;
  readonly author: string | undefined;
}

export interface PublishedVersion {
  readonly flowId: string;
  readonly version: string;
  readonly previous: string | null;
}

/**
 * Puts a graph in force: a new version where it runs differently from the one there is. `more` belongs to the same
 * transaction. Runs that were started keep their version, and no trigger finds the flow without one.
 */
export async function publishVersion(
  pool: Pool,
  { organizationId, flowId, graph, settings, note, author }: NewVersion,
  more: (db: Db, published: PublishedVersion) => Promise<void>,
): Promise<PublishedVersion> {
  return transaction(pool, async (db) => {
    const now = await lockCatalogue(db, [organizationId]);
    if (!now) throw new Refusal("service_unavailable", { retryAfterSeconds: 3 });
    const stored = await findStoredFlow(db, organizationId, flowId);
    if (!stored || stored.deleted) throw new Refusal("flow_not_found", { messageParams: { flowId } });
    const { version, hash } = await versionFor(
      { db, now },
      { organizationId, flowId, graph, settings, stored },
    );
    await putFlowVersion(db, { organizationId, flowId, version, hash, graph, settings, author, note });
    if (version !== stored.version) await setVersion(db, organizationId, flowId, version);
    const published = { flowId, version, previous: stored.version };
    await more(db, published);
    return published;
  });
}

export async function auditVersion(
  context: AuditContext,
  actor: Actor,
  action: "flow.publish" | "flow.rollback",
  {
    organizationId,
    flowId,
    version,
    previous,
    note,
  }: PublishedVersion & Pick<NewVersion, "organizationId" | "note">,
): Promise<void> {
  const before = { version: previous };
  const after = { version, ...(note !== undefined && { note }) };
  await recordAudit(context, actor, { organizationId, action, target: flowId, before, after });
}
