import type { NodeRecordsQuery } from "@millrace/contract/manage/run-values";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import { toNodeChange } from "../../domain/node-changes.ts";
import { isInScope, type NodeScope, OUTSIDE, scopeOfContainer } from "../../domain/node-scope.ts";
import { cursorsOf, toNumber } from "../../domain/number-cursor.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import {
  listNodeRecords as readNodeRecords,
  type NodeRecordRow,
} from "../../storage/run-values/list-node-records.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import type { LiveNodes } from "../runs/live-nodes.ts";
import { findSeenRun } from "./find-seen-run.ts";

export interface NodeRecordsContext {
  readonly db: Db;
  readonly library: FlowLibrary;
  /** What this process executes; of runs elsewhere what is stored and waited for is known. */
  readonly live: LiveNodes;
}

export type NodeRecord = NodeRecordRow;

export interface NodeRecordsPage extends Page<NodeRecordRow> {
  readonly rounds: number | undefined;
}

const MAX_LIVE = 5_000;

/** What the nodes did and do, without values; those inside containers are asked for by container, round by round. */
export async function listNodeRecords(
  { db, library, live }: NodeRecordsContext,
  principal: Principal,
  runId: string,
  query: NodeRecordsQuery,
): Promise<NodeRecordsPage> {
  const { container, "filter[round]": round, "filter[status]": statuses } = query;
  const page = toPageRequest(`nodes:${runId}:${container ?? ""}`, query);
  const { run } = await findSeenRun(db, principal, runId);
  const scope = container === undefined ? OUTSIDE : await containerScope(library, run, container);
  if (round !== undefined && !scope.hasRounds)
    throw invalidParameter("filter[round]", "needs container: nodes outside of containers have no rounds");
  const rows = await readNodeRecords(db, run.organizationId, runId, {
    scope,
    statuses,
    round,
    from: toNumber(page),
    direction: page.before ? "back" : "onward",
    maxRounds: scope.hasRounds ? page.size : 1,
    live: Iterator.from(live.of(runId) ?? [])
      .filter(({ nodeKey }) => isInScope(scope, nodeKey))
      .take(MAX_LIVE)
      .map(toNodeChange)
      .toArray(),
  });
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return { items: [], rounds: scope.hasRounds ? 0 : undefined };
  const hasMore = first.inDirection > new Set(rows.map((row) => row.round)).size;
  return {
    items: rows,
    rounds: scope.hasRounds ? first.rounds : undefined,
    ...cursorsOf(page, { first: first.round, last: last.round, hasMore }),
  };
}

async function containerScope(library: FlowLibrary, run: RunRecord, container: string): Promise<NodeScope> {
  const compiled = await library.compiled(run.organizationId, run.flowId, run.version);
  const childIdsOf = (id: string) => compiled.nodes.get(id)?.children?.nodes.map((child) => child.id);
  const scope = scopeOfContainer(container, childIdsOf);
  if (!scope) throw invalidParameter("container", "is not a for-each or while of this flow");
  return scope;
}

function invalidParameter(parameter: string, message: string): Refusal {
  return new Refusal("invalid_query", { issues: [{ path: [parameter], message }] });
}
