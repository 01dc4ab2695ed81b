import type { RollbackBody } from "@millrace/contract/manage/flows";
import { requireRunnable } from "./check-graph.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { managedFlow } from "./managed-flow.ts";
import { auditVersion, publishVersion, type PublishedVersion } from "./publish-version.ts";
import { storedVersion } from "./read-versions.ts";

/**
 * Puts an earlier version in force again, as a new one: a version is in force once, so what ran when stays plain. The
 * draft is left alone.
 */
export async function rollBack(
  context: FlowContext,
  { principal, actor }: Caller,
  flowId: string,
  { version: target, note = `Roll back to ${target}` }: RollbackBody,
): Promise<PublishedVersion & { readonly warnings: readonly string[] }> {
  const { pool, ids, library } = context;
  const flow = await managedFlow(pool, principal, flowId, "admin");
  const { organizationId } = flow;
  const { graph, settings } = await storedVersion(pool, organizationId, flowId, target);
  const content = { graph, settings: settings ?? {} };
  const warnings = await requireRunnable({ ...context, db: pool }, flow, content, { ranBefore: true });
  const published = await publishVersion(
    pool,
    { organizationId, flowId, ...content, note, author: actor.userId },
    (db, { version, previous }) =>
      auditVersion({ db, ids }, actor, "flow.rollback", { organizationId, flowId, version, previous, note }),
  );
  library.forget(flowId);
  return { ...published, warnings };
}
