import { runStatuses, taskIdentifiers, triggerSources } from "@millrace/contract/run-status";
import { idTimeMs } from "../../domain/ids.ts";
import { assumed, oneOf, orNull, text, texts, timestamp } from "../columns.ts";

/** Of a table called `r`. */
export const RUN = {
  select: `r.id, r.organization_id AS "organizationId", r.flow_id AS "flowId", r.version, r.status,
  CASE WHEN r.parent_run_id IS NULL THEN 'execute-flow' ELSE 'execute-subflow' END AS "taskIdentifier",
  r.trigger_source AS "triggerSource", r.tags,
  r.updated_at AS "updatedAt", r.started_at AS "startedAt", r.completed_at AS "completedAt"`,
  columns: {
    id: text,
    organizationId: text,
    flowId: text,
    version: text,
    status: oneOf(...runStatuses),
    taskIdentifier: oneOf(...taskIdentifiers),
    triggerSource: assumed(oneOf(...triggerSources)),
    tags: texts,
    updatedAt: timestamp,
    startedAt: orNull(timestamp),
    completedAt: orNull(timestamp),
  },
};

export function toRunRecord<Row extends { readonly id: string }>(row: Row): Row & { createdAt: Date } {
  return { ...row, createdAt: new Date(idTimeMs(row.id)) };
}
