import type { AuditEntry } from "@millrace/contract/manage/audit";
import type { AuditEntryRecord } from "../../operations/audit/list-audit.ts";

export function presentAuditEntry(entry: AuditEntryRecord): AuditEntry {
  const { id, organizationId, createdAt, action, target, userId, via, viaId, address, before, after } = entry;
  return {
    id,
    organizationId,
    createdAt: createdAt.toISOString(),
    action,
    target,
    by: {
      ...(userId !== null && { userId }),
      via,
      ...(viaId !== null && { viaId }),
      ...(address !== null && { address }),
    },
    ...(before && { before: before as Record<string, unknown> }),
    ...(after && { after: after as Record<string, unknown> }),
  };
}
