import { runStatuses, type TaskIdentifier } from "@millrace/contract/run-status";
import type { PageRequest } from "../../domain/cursor.ts";
import { lowestIdAt } from "../../domain/ids.ts";
import type { RunFilters } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { listVersionTimes } from "./list-version-times.ts";
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
  const conditions = [lead.condition, ...lead.others.map((filter) => filter(use))];
  const direction = page.before ? "ASC" : "DESC";
  const limit = use(page.size + 1);
  const walks = await lead.walks(db, organizationIds, idRange(filters, page));
  const column = (name: keyof Walk) => `${use(walks.map((walk) => walk[name] ?? null))}::text[]`;
  const { rows } = await db.query<RunRow>(
    `SELECT DISTINCT ON (found.id) found.*
       FROM unnest(${column("organizationId")}, ${column("value")}, ${column("flowId")}, ${column("status")}, ${column("low")}, ${column("high")})
            AS w(organization_id, value, flow_id, status, low, high)
       CROSS JOIN LATERAL (
         SELECT ${RUN_COLUMNS} FROM ${lead.from}
          WHERE ${conditions.join(" AND ")} AND ${lead.idColumn} >= w.low AND ${lead.idColumn} < w.high
          ORDER BY ${lead.idColumn} ${direction} LIMIT ${limit}
       ) AS found
      ORDER BY found.id ${direction} LIMIT ${limit}`,
    parameters,
  );
  return rows.map(toRunRecord);
}

// Processes hear of a new version a moment later, and their clocks are calibrated, not equal.
const VERSION_SLACK_MS = 60_000;

/** From `low` up to, not including, `high`. */
interface IdRange {
  readonly low: string;
  readonly high: string;
}

interface Walk extends IdRange {
  readonly organizationId: string;
  readonly value?: string;
  readonly flowId?: string;
  readonly status?: string;
}

function idRange(
  { lowestId = "run_", endId = "run_~" }: RunFilters,
  { after, before }: PageRequest,
): IdRange {
  return {
    // The least text behind an id is the id with something after it.
    low: before && `${before.id}0` > lowestId ? `${before.id}0` : lowestId,
    high: after && after.id < endId ? after.id : endId,
  };
}

type Condition = (use: (value: unknown) => string) => string;

interface LeadingFilter {
  readonly from: string;
  readonly idColumn: string;
  readonly condition: string;
  readonly others: readonly Condition[];
  walks(db: Db, organizationIds: readonly string[], range: IdRange): Walk[] | Promise<Walk[]>;
}

/** One walk per organization and value. */
const walkEach =
  (values: readonly (string | undefined)[]): LeadingFilter["walks"] =>
  (_, organizationIds, range) =>
    organizationIds.flatMap((organizationId) => values.map((value) => ({ organizationId, value, ...range })));

const walkTags =
  (tags: readonly string[], statuses: readonly string[]): LeadingFilter["walks"] =>
  (_, organizationIds, range) =>
    organizationIds.flatMap((organizationId) =>
      tags.flatMap((value) => statuses.map((status) => ({ organizationId, value, status, ...range }))),
    );

/** The filter that chooses the index: tags before statuses before versions. */
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

  if (tags) {
    return {
      // LIMIT 1 keeps it a look-up per tag row; a merge of both indexes would read all runs for a rare tag.
      from: `run_tags g CROSS JOIN LATERAL
             (SELECT * FROM runs WHERE organization_id = g.organization_id AND id = g.run_id LIMIT 1) r`,
      idColumn: "g.run_id",
      walks: walkTags(tags, statuses ?? runStatuses),
      condition: "g.organization_id = w.organization_id AND g.tag = w.value AND g.status = w.status",
      others: [...others, ...(versions ? [byVersion] : [])],
    };
  }
  const plain = { from: "runs r", idColumn: "r.id" };
  const rest = [...others, ...(versions ? [byVersion] : [])];
  const ofStatus = "r.organization_id = w.organization_id AND r.status = w.value";
  // The runs of a flow are kept by status, so that its rare failures are found among many successes.
  if (flowId !== undefined) {
    return { ...plain, walks: walkEach(statuses ?? runStatuses), condition: ofStatus, others: rest };
  }
  // Completed runs have no index of their own: they are never far along the primary key.
  if (statuses && !statuses.includes("COMPLETED")) {
    const condition = `${ofStatus} AND r.status <> 'COMPLETED'`;
    return { ...plain, walks: walkEach(statuses), condition, others: rest };
  }
  if (statuses) others.push(byStatus);
  if (versions) {
    return {
      ...plain,
      walks: (db, organizationIds, range) => walkVersions(db, organizationIds, versions, range),
      condition:
        "r.organization_id = w.organization_id AND r.flow_id = w.flow_id AND r.status = w.status AND r.version = w.value",
      others,
    };
  }
  return {
    ...plain,
    walks: walkEach([undefined]),
    condition: "r.organization_id = w.organization_id",
    others,
  };
}

/** A version is in force for a time, and that time bounds its runs: no index has to know versions. */
async function walkVersions(
  db: Db,
  organizationIds: readonly string[],
  versions: readonly string[],
  { low, high }: IdRange,
): Promise<Walk[]> {
  const times = await listVersionTimes(db, organizationIds, versions);
  return times.flatMap(({ organizationId, flowId, version, from, until }) => {
    const first = lowestIdAt("run", from.getTime() - VERSION_SLACK_MS);
    const end = until ? lowestIdAt("run", until.getTime() + VERSION_SLACK_MS) : high;
    const range = { low: first > low ? first : low, high: end < high ? end : high };
    return runStatuses.map((status) => ({ organizationId, flowId, value: version, status, ...range }));
  });
}

function taskCondition(taskIdentifiers: readonly TaskIdentifier[]): string {
  if (taskIdentifiers.length === 2) return "true";
  if (taskIdentifiers.length === 0) return "false";
  return taskIdentifiers[0] === "execute-subflow" ? "r.parent_run_id IS NOT NULL" : "r.parent_run_id IS NULL";
}
