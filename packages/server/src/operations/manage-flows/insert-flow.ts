import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { Refusal } from "../../domain/refusal.ts";
import { findOwners } from "../../storage/catalogue/find-owners.ts";
import { putFlow } from "../../storage/catalogue/put-flow.ts";
import { findManagedFlow } from "../../storage/manage-flows/list-managed-flows.ts";
import { saveDraft } from "../../storage/manage-flows/save-draft.ts";
import type { Db } from "../../storage/pool.ts";
import { type AuditContext, recordAudit } from "../audit/record-audit.ts";
import type { Actor } from "../../domain/actor.ts";

export interface NewFlow {
  readonly organizationId: string;
  readonly flowId: string;
  readonly name: string;
  readonly graph: FlowGraph;
  readonly settings: FlowSettings | undefined;
}

/** A flow that is nothing but a draft; the caller holds the lock of the catalogue. Its revision. */
export async function insertFlow(
  { db, ids }: AuditContext & { readonly db: Db },
  actor: Actor,
  { organizationId, flowId, name, graph, settings }: NewFlow,
): Promise<number> {
  // Of a deleted flow it would bring back what was published.
  if ((await findOwners(db, [flowId], [])).length > 0)
    throw new Refusal("flow_id_taken", { messageParams: { flowId } });
  await putFlow(db, {
    organizationId,
    id: flowId,
    name,
    slug: null,
    active: true,
    version: undefined,
    managedBy: "console",
  });
  const now = await findManagedFlow(db, flowId);
  const row = { organizationId, flowId, graph, settings, author: actor.userId };
  const revision = (await saveDraft(db, row, now!.revision))!;
  const change = { organizationId, action: "flow.save-draft", target: flowId };
  await recordAudit({ db, ids }, actor, { ...change, after: { revision } });
  return revision;
}
