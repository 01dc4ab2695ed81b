import { runStatuses, type TaskIdentifier } from "@millrace/contract/run-status.ts";
import type { PageRequest } from "../../domain/cursor.ts";
import type { RunFilters } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { RUN_COLUMNS, type RunRow, toRunRecord } from "./run-columns.ts";

/**
 * Newest first by id, one row more than the page. Every organization and every value of the leading filter
 * is a walk of its own along an index that has the order already and stops after a page; the few rows that
 * come out are merged. So the time depends on the page and not on how many runs there are.
 */
export async function listRuns(
  db: Db,
  organizationIds: readonly string[],
  filters: RunFilters,
  page: PageRequest,
): Promise<RunRecord[]> {
  const parameters: unknown[] = [];
  const use = (value: unknown): string => `$${parameters.push(value)}`;
  const lead = leadingFilter(filters);
  const conditions = [
    lead.condition,
    ...lead.others.map((filter) => filter(use)),
    ...idConditions(lead.idColumn, filters, page, use),
  ];
  const direction = page.before ? "ASC" : "DESC";
  const limit = use(page.size + 1);
  const { rows } = await db.query<RunRow>(
    `SELECT DISTINCT ON (found.id) found.*
       FROM unnest(${use(organizationIds)}::text[]) AS o(organization_id)
       CROSS JOIN unnest(${use(lead.values)}::text[]) AS lead(value)
       CROSS JOIN LATERAL (
         SELECT ${RUN_COLUMNS} FROM ${lead.from}
          WHERE ${conditions.join(" AND ")}
          ORDER BY ${lead.idColumn} ${direction} LIMIT ${limit}
       ) AS found
      ORDER BY found.id ${direction} LIMIT ${limit}`,
    parameters,
  );
  return rows.map(toRunRecord);
}

type Condition = (use: (value: unknown) => string) => string;

interface LeadingFilter {
  readonly from: string;
  readonly idColumn: string;
  readonly values: readonly string[];
  readonly condition: string;
  readonly others: readonly Condition[];
}

/** The filter that chooses the index: rare statuses before tags before other statuses before versions. */
function leadingFilter({
  flowId,
  statuses,
  tags,
  versions,
  taskIdentifiers,
  isTest,
}: RunFilters): LeadingFilter {
  const others: Condition[] = [];
  if (flowId !== undefined) others.push((use) => `r.flow_id = ${use(flowId)}`);
  if (taskIdentifiers) others.push(() => taskCondition(taskIdentifiers));
  if (isTest !== undefined) others.push(() => (isTest ? "r.is_test" : "NOT r.is_test"));
  const byStatus: Condition = (use) => `r.status = ANY(${use(statuses)}::text[])`;
  const byVersion: Condition = (use) => `r.version = ANY(${use(versions)}::text[])`;
  const byTag: Condition = (use) => `r.tags && ${use(tags)}::text[]`;

  // Most runs complete, and a tag may be on every run.
  if (tags && (!statuses || statuses.includes("COMPLETED"))) {
    return {
      // LIMIT 1 keeps it a look-up per tag row; a merge of both indexes would read all runs for a rare tag.
      from: `run_tags g CROSS JOIN LATERAL
             (SELECT * FROM runs WHERE organization_id = g.organization_id AND id = g.run_id LIMIT 1) r`,
      idColumn: "g.run_id",
      values: tags,
      condition: "g.organization_id = o.organization_id AND g.tag = lead.value",
      others: [...others, ...(statuses ? [byStatus] : []), ...(versions ? [byVersion] : [])],
    };
  }
  const from = "runs r";
  const idColumn = "r.id";
  // The runs of a flow are kept by status, so that its rare failures are found among many successes.
  if (statuses || flowId !== undefined) {
    return {
      from,
      idColumn,
      values: statuses ?? runStatuses,
      condition: "r.organization_id = o.organization_id AND r.status = lead.value",
      others: [...others, ...(tags ? [byTag] : []), ...(versions ? [byVersion] : [])],
    };
  }
  if (versions) {
    const condition = "r.organization_id = o.organization_id AND r.version = lead.value";
    return { from, idColumn, values: versions, condition, others };
  }
  return { from, idColumn, values: [""], condition: "r.organization_id = o.organization_id", others };
}

function taskCondition(taskIdentifiers: readonly TaskIdentifier[]): string {
  if (taskIdentifiers.length === 2) return "true";
  if (taskIdentifiers.length === 0) return "false";
  return taskIdentifiers[0] === "execute-subflow" ? "r.parent_run_id IS NOT NULL" : "r.parent_run_id IS NULL";
}

function idConditions(
  column: string,
  { lowestId, endId }: RunFilters,
  page: PageRequest,
  use: (value: unknown) => string,
): string[] {
  return [
    ...(lowestId === undefined ? [] : [`${column} >= ${use(lowestId)}`]),
    ...(endId === undefined ? [] : [`${column} < ${use(endId)}`]),
    ...(page.after ? [`${column} < ${use(page.after.id)}`] : []),
    ...(page.before ? [`${column} > ${use(page.before.id)}`] : []),
  ];
}
