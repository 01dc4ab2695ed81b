import type { FlowVersion, ManagedFlow } from "@millrace/contract/manage/flows";
import type { ManagedFlowRecord } from "../../operations/manage-flows/list-flows.ts";
import type { ListedVersion } from "../../operations/manage-flows/read-versions.ts";

export function presentManagedFlow({
  active,
  createdAt,
  updatedAt,
  ...flow
}: ManagedFlowRecord): ManagedFlow {
  const { id, name, slug, organizationId, version, managedBy, hasDraft, revision, webhook, schedules } = flow;
  return {
    id,
    name,
    slug,
    organizationId,
    state: version === null ? "draft" : active ? "active" : "inactive",
    version,
    managedBy,
    hasDraft,
    revision,
    webhook,
    schedules,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

export function presentVersion(listed: Omit<ListedVersion, "id">): FlowVersion {
  const { version, active, createdAt, author, note, nodes } = listed;
  return {
    version,
    active,
    createdAt: createdAt.toISOString(),
    ...(author !== null && { author }),
    ...(note !== null && { note }),
    nodes,
  };
}
