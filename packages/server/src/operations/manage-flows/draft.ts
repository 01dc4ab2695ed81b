import type { DraftBody, PublishBody, ValidateDraftBody } from "@millrace/contract/manage/flows";
import type { FlowSettings } from "@millrace/contract/documents/flow";
import { settingsOf as inOrder } from "../../domain/flow/flow-settings.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
import { findVersion } from "../../storage/manage-flows/list-versions.ts";
import { findManagedFlow, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { deleteDraft, saveDraft } from "../../storage/manage-flows/save-draft.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { ReplayDesk } from "../backtest/replay-desk.ts";
import { requirePassingTests } from "../flow-tests/require-passing-tests.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import {
  checkGraph,
  type CheckedGraph,
  requireRunnable,
  requireStorable,
  type VersionContent,
} from "./check-graph.ts";
import { managedFlow } from "./managed-flow.ts";
import { auditVersion, publishVersion, type PublishedVersion } from "./publish-version.ts";

export interface ReadDraft extends VersionContent {
  readonly flowId: string;
  readonly name: string;
  readonly managedBy: ManagedFlowRecord["managedBy"];
  readonly revision: number;
  readonly saved: boolean;
  readonly version: string | null;
  readonly author?: string | undefined;
  readonly updatedAt?: Date | undefined;
}

/** What is being worked on: the draft, or the version in force where nobody has changed anything. */
export async function getDraft(
  { db }: { readonly db: Db },
  principal: Principal | undefined,
  flowId: string,
): Promise<ReadDraft> {
  return readDraft(db, await managedFlow(db, principal, flowId, "viewer"));
}

export async function readDraft(db: Db, flow: ManagedFlowRecord): Promise<ReadDraft> {
  const { id: flowId, organizationId, name, managedBy, version, revision } = flow;
  const known = { flowId, name, managedBy, revision, version };
  const draft = await findDraft(db, organizationId, flowId);
  if (draft) {
    const { graph, author, updatedAt } = draft;
    const settings = draft.settings ?? (await settingsInForce(db, flow));
    const saved = { saved: true, author: author ?? undefined, updatedAt };
    return { ...known, graph, settings, ...saved };
  }
  const inForce = version === null ? undefined : await findVersion(db, organizationId, flowId, version);
  const { graph = { nodes: [], edges: [] }, settings } = inForce ?? {};
  return { ...known, graph, settings: settings ?? {}, saved: false };
}

async function settingsInForce(
  db: Db,
  { id, organizationId, version }: ManagedFlowRecord,
): Promise<FlowSettings> {
  return version === null ? {} : findFlowSettings(db, organizationId, id, version);
}

/** Saves a draft on top of the revision that was read; who was slower learns the present one. */
export async function putDraftOf(
  { pool, ids }: FlowContext,
  { principal, actor }: Caller,
  flowId: string,
  { graph, settings, revision }: DraftBody,
): Promise<{ flowId: string; revision: number }> {
  const { organizationId } = await managedFlow(pool, principal, flowId, "admin");
  requireStorable({ graph, ...(settings && { settings }) });
  return transaction(pool, async (db) => {
    const row = {
      organizationId,
      flowId,
      graph,
      settings: settings && inOrder(settings),
      author: actor.userId,
    };
    const saved = await saveDraft(db, row, revision);
    if (saved === undefined) throw await staleRevision(db, flowId);
    const change = { organizationId, action: "flow.save-draft", target: flowId };
    await recordAudit({ db, ids }, actor, { ...change, before: { revision }, after: { revision: saved } });
    return { flowId, revision: saved };
  });
}

async function staleRevision(db: Db, flowId: string): Promise<Refusal> {
  const now = await findManagedFlow(db, flowId);
  if (!now) return new Refusal("flow_not_found", { messageParams: { flowId } });
  const { revision } = now;
  return new Refusal("draft_changed", {
    messageParams: { flowId, revision: String(revision) },
    data: { revision },
  });
}

/** Whether the draft, or what is not saved yet, would run. */
export async function validateDraft(
  context: FlowContext,
  principal: Principal | undefined,
  flowId: string,
  body: ValidateDraftBody,
): Promise<CheckedGraph> {
  const { pool: db } = context;
  const flow = await managedFlow(db, principal, flowId, "viewer");
  const { graph, settings } = { ...(await readDraft(db, flow)), ...body };
  return checkGraph({ ...context, db }, flow, { graph, settings });
}

/** Puts the draft in force; where the flow requires its tests, only one that passes them. */
export async function publishDraft(
  context: FlowContext & { readonly replays: ReplayDesk },
  { principal, actor }: Caller,
  flowId: string,
  { note, revision }: NonNullable<PublishBody>,
): Promise<PublishedVersion & { readonly warnings: readonly string[] }> {
  const { pool, ids, library } = context;
  const flow = await managedFlow(pool, principal, flowId, "admin");
  const { organizationId } = flow;
  const draft = await readDraft(pool, flow);
  const { graph, settings } = draft;
  const warnings = await requireRunnable({ ...context, db: pool }, flow, draft);
  const inForce = await settingsInForce(pool, flow);
  // A draft that drops the rule is held to it once more.
  if (settings.requireTests || inForce.requireTests)
    await requirePassingTests({ ...context, db: pool }, flow, draft);
  const expected = revision ?? draft.revision;
  const published = await publishVersion(
    pool,
    { organizationId, flowId, graph, settings, note, author: actor.userId },
    async (db, { version, previous }) => {
      // What was checked is what is published: nobody has saved another draft meanwhile.
      const now = await findManagedFlow(db, flowId);
      const raised = version === previous ? 0 : 1;
      if (now?.revision !== expected + raised) throw await staleRevision(pool, flowId);
      await deleteDraft(db, organizationId, flowId);
      await auditVersion({ db, ids }, actor, "flow.publish", {
        organizationId,
        flowId,
        version,
        previous,
        note,
      });
    },
  );
  library.forget(flowId);
  return { ...published, warnings };
}
