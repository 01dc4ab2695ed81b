import { runStatuses } from "@millrace/contract/run-status";
import type { PageRequest } from "../../domain/cursor.ts";
import { lowestIdAt } from "../../domain/ids.ts";
import type { RunFilters } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { listVersionTimes } from "./list-version-times.ts";
import { RUN, toRunRecord } from "./run-columns.ts";

/** What narrows a list beside the filter that chooses the index. A filter that is NULL is gone before it is planned. */
const FILTERS = `($8::text IS NULL OR r.flow_id = $8)
            AND ($9::boolean IS NULL OR r.is_test = $9)
            AND ($10::boolean IS NULL OR (r.parent_run_id IS NOT NULL) = $10)
            AND ($11::text[] IS NULL OR r.status = ANY($11))
            AND ($12::text[] IS NULL OR r.version = ANY($12))
            AND ($13::text[] IS NULL OR r.trigger_source = ANY($13))`;

/** In both directions; `idColumn` is that of the index which is walked. */
function listStatements({
  from,
  idColumn,
  condition,
}: {
  from: string;
  idColumn: string;
  condition: string;
}) {
  const list = (direction: "ASC" | "DESC") =>
    statement({
      text: `SELECT DISTINCT ON (found.id) found.*
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
            AS w(organization_id, value, flow_id, status, low, high)
       CROSS JOIN LATERAL (
         SELECT ${RUN.select} FROM ${from}
          WHERE ${condition} AND ${FILTERS} AND ${idColumn} >= w.low AND ${idColumn} < w.high
          ORDER BY ${idColumn} ${direction} LIMIT $7
       ) AS found
      ORDER BY found.id ${direction} LIMIT $7`,
      columns: RUN.columns,
    });
  return { newestFirst: list("DESC"), oldestFirst: list("ASC") };
}

const ofRuns = (condition: string) => listStatements({ from: "runs r", idColumn: "r.id", condition });

const LIST_BY_TAG = listStatements({
  // LIMIT 1 keeps it a look-up per tag row; a merge of both indexes would read all runs for a rare tag.
  from: `run_tags g CROSS JOIN LATERAL
             (SELECT * FROM runs WHERE organization_id = g.organization_id AND id = g.run_id LIMIT 1) r`,
  idColumn: "g.run_id",
  condition: "g.organization_id = w.organization_id AND g.tag = w.value AND g.status = w.status",
});
const LIST_BY_STATUS = ofRuns("r.organization_id = w.organization_id AND r.status = w.value");
const LIST_BY_RARE_STATUS = ofRuns(
  "r.organization_id = w.organization_id AND r.status = w.value AND r.status <> 'COMPLETED'",
);
const LIST_BY_VERSION = ofRuns(
  "r.organization_id = w.organization_id AND r.flow_id = w.flow_id AND r.status = w.status AND r.version = w.value",
);
const LIST_ALL = ofRuns("r.organization_id = w.organization_id");

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
  const { flowId, isTest, taskIdentifiers } = filters;
  if (taskIdentifiers?.length === 0) return [];
  const lead = leadingFilter(filters);
  const walks = await lead.walks(db, organizationIds, idRange(filters, page));
  const column = (name: keyof Walk) => walks.map((walk) => walk[name] ?? null);
  const list = page.before ? lead.list.oldestFirst : lead.list.newestFirst;
  const { rows } = await db.query(
    list([
      column("organizationId"),
      column("value"),
      column("flowId"),
      column("status"),
      column("low"),
      column("high"),
      page.size + 1,
      flowId,
      isTest,
      taskIdentifiers?.length === 1 ? taskIdentifiers[0] === "execute-subflow" : null,
      lead.statuses,
      lead.versions,
      filters.triggerSources,
    ]),
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

interface LeadingFilter {
  readonly list: ReturnType<typeof listStatements>;
  /** Those that no walk knows. */
  readonly statuses?: readonly string[];
  readonly versions?: readonly string[];
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
function leadingFilter({ flowId, statuses, tags, versions }: RunFilters): LeadingFilter {
  if (tags) return { list: LIST_BY_TAG, walks: walkTags(tags, statuses ?? runStatuses), versions };
  // The runs of a flow are kept by status, so that its rare failures are found among many successes.
  if (flowId !== undefined)
    return { list: LIST_BY_STATUS, walks: walkEach(statuses ?? runStatuses), versions };
  // Completed runs have no index of their own: they are never far along the primary key.
  if (statuses && !statuses.includes("COMPLETED"))
    return { list: LIST_BY_RARE_STATUS, walks: walkEach(statuses), versions };
  if (versions) {
    const walks: LeadingFilter["walks"] = (db, organizationIds, range) =>
      walkVersions(db, organizationIds, versions, range);
    return { list: LIST_BY_VERSION, walks, statuses };
  }
  return { list: LIST_ALL, walks: walkEach([undefined]), statuses };
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
    const first = from ? lowestIdAt("run", from.getTime() - VERSION_SLACK_MS) : low;
    const end = until ? lowestIdAt("run", until.getTime() + VERSION_SLACK_MS) : high;
    const range = { low: first > low ? first : low, high: end < high ? end : high };
    return runStatuses.map((status) => ({ organizationId, flowId, value: version, status, ...range }));
  });
}
