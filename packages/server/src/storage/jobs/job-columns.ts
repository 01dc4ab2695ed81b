import { jobActions, jobStatuses } from "@millrace/contract/manage/jobs";
import { integer, json, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { RowOf } from "../statement.ts";

const counted = (state: string) =>
  `(SELECT count(*) FROM job_runs x WHERE x.organization_id = j.organization_id AND x.job_id = j.id AND x.state = '${state}')::integer`;

/** Of a table called `j`. */
export const JOB = {
  select: `j.id, j.organization_id AS "organizationId", j.action, j.status, j.filter, j.reason, j.created_by AS "createdBy",
       j.created_at AS "createdAt", j.updated_at AS "updatedAt", j.completed_at AS "completedAt",
       ${counted("pending")} AS pending, ${counted("done")} AS done, ${counted("skipped")} AS skipped, ${counted("failed")} AS failed`,
  columns: {
    id: text,
    organizationId: text,
    action: oneOf(...jobActions),
    status: oneOf(...jobStatuses),
    filter: json<Record<string, unknown>>(),
    reason: orNull(text),
    createdBy: text,
    createdAt: timestamp,
    updatedAt: timestamp,
    completedAt: orNull(timestamp),
    pending: integer,
    done: integer,
    skipped: integer,
    failed: integer,
  },
};

export type JobRecord = RowOf<typeof JOB.columns>;
