import { idTimeMs } from "../../domain/ids.ts";
import type { RunRecord } from "../../domain/run-record.ts";

/** Of a table called `r`. */
export const RUN_COLUMNS = `r.id, r.organization_id AS "organizationId", r.flow_id AS "flowId", r.version, r.status,
  CASE WHEN r.parent_run_id IS NULL THEN 'execute-flow' ELSE 'execute-subflow' END AS "taskIdentifier",
  r.trigger_source AS "triggerSource", r.tags,
  r.updated_at AS "updatedAt", r.started_at AS "startedAt", r.completed_at AS "completedAt"`;

export type RunRow = Omit<RunRecord, "createdAt">;

export function toRunRecord<Row extends { readonly id: string }>(row: Row): Row & { createdAt: Date } {
  return { ...row, createdAt: new Date(idTimeMs(row.id)) };
}
