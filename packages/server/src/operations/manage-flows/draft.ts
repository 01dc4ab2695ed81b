import type { DraftBody, PublishBody, ValidateDraftBody } from "@millrace/contract/manage/flows";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import { findManagedFlow, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { deleteDraft, saveDraft } from "../../storage/manage-flows/save-draft.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { checkGraph, type CheckedGraph, requireRunnable, requireStorable } from "./check-graph.ts";
import { managedFlow } from "./managed-flow.ts";
import { auditVersion, publishVersion, type PublishedVersion } from "./publish-version.ts";

export interface ReadDraft {
  readonly flowId: string;
  readonly graph: FlowGraph;
  readonly revision: number;
  readonly saved: boolean;
  readonly version: string | null;
  readonly author?: string | undefined;
  readonly updatedAt?: Date | undefined;
}

/** What is being worked on: the draft, or the version in force where nobody has changed anything. */
export async function getDraft(
  { db }: { readonly db: Db },
  principal: Principal,
  flowId: string,
): Promise<ReadDraft> {
  return readDraft(db, await managedFlow(db, principal, flowId, "viewer"));
}

async function readDraft(db: Db, flow: ManagedFlowRecord): Promise<ReadDraft> {
  const { id: flowId, organizationId, version, revision } = flow;
  const draft = await findDraft(db, organizationId, flowId);
  if (draft) {
    const { graph, author, updatedAt } = draft;
    return { flowId, graph, revision, saved: true, version, author: author ?? undefined, updatedAt };
  }
  const graph = version === null ? undefined : await findFlowGraph(db, organizationId, flowId, version);
  return { flowId, graph: graph ?? { nodes: [], edges: [] }, revision, saved: false, version };
}

/** Saves a draft on top of the revision that was read; who was slower learns the present one. */
export async function putDraftOf(
  { pool, ids }: FlowContext,
  { principal, actor }: Caller,
  flowId: string,
  { graph, revision }: DraftBody,
): Promise<{ flowId: string; revision: number }> {
  const { organizationId } = await managedFlow(pool, principal, flowId, "admin");
  requireStorable(graph);
  return transaction(pool, async (db) => {
    const row = { organizationId, flowId, graph, author: actor.userId };
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

/** Whether the draft, or a graph that is not saved yet, would run. */
export async function validateDraft(
  context: FlowContext,
  principal: Principal | undefined,
  flowId: string,
  body: ValidateDraftBody,
): Promise<CheckedGraph> {
  const { pool: db } = context;
  const flow = await managedFlow(db, principal, flowId, "viewer");
  const graph = body?.graph ?? (await readDraft(db, flow)).graph;
  return checkGraph({ ...context, db }, flow, graph);
}

/** Puts the draft in force. */
export async function publishDraft(
  context: FlowContext,
  { principal, actor }: Caller,
  flowId: string,
  { note, revision }: NonNullable<PublishBody>,
): Promise<PublishedVersion & { readonly warnings: readonly string[] }> {
  const { pool, ids, library } = context;
  const flow = await managedFlow(pool, principal, flowId, "admin");
  const { organizationId } = flow;
  const draft = await readDraft(pool, flow);
  const warnings = await requireRunnable({ ...context, db: pool }, flow, draft.graph);
  const expected = revision ?? draft.revision;
  // A draft is a graph; whatever else the document has said stays.
  const settings =
    flow.version === null ? {} : await findFlowSettings(pool, organizationId, flowId, flow.version);
  const published = await publishVersion(
    pool,
    { organizationId, flowId, graph: draft.graph, settings, note, author: actor.userId },
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
