import {
  type RunStatus,
  type TaskIdentifier,
  taskIdentifiers,
  type TriggerSource,
} from "@millrace/contract/run-status";
import type { createdAtFilter, FlowRunsQuery, RunsQuery } from "@millrace/contract/runs";
import { type PageRequest, toPageRequest } from "./cursor.ts";
import { idTimeMs, isId, lowestIdAt } from "./ids.ts";
import { toPeriod } from "./period.ts";
import { Refusal } from "./refusal.ts";

/** What a list of runs is narrowed to. Times are bounds over ids, because an id begins with its time. */
export interface RunFilters {
  readonly flowId?: string;
  readonly statuses?: readonly RunStatus[];
  readonly tags?: readonly string[];
  readonly versions?: readonly string[];
  readonly taskIdentifiers?: readonly TaskIdentifier[];
  readonly triggerSources?: readonly TriggerSource[];
  readonly isTest?: boolean;
  readonly lowestId?: string;
  /** The first id that is too new. */
  readonly endId?: string;
}

// Eight base62 digits end here, in the year 8888.
const LATEST_ID_TIME_MS = 62 ** 8 - 1;

export function toRunFilters(query: FlowRunsQuery | RunsQuery, nowMs: number): RunFilters {
  const asked = "filter[taskIdentifier]" in query ? query["filter[taskIdentifier]"] : undefined;
  return {
    flowId: "filter[flowId]" in query ? query["filter[flowId]"] : undefined,
    statuses: query["filter[status]"],
    tags: query["filter[tag]"],
    versions: "filter[version]" in query ? query["filter[version]"] : undefined,
    taskIdentifiers: asked && taskIdentifiers.filter((known) => asked.includes(known)),
    triggerSources: "filter[triggerSource]" in query ? query["filter[triggerSource]"] : undefined,
    isTest: query["filter[isTest]"],
    ...idBounds(query, nowMs),
  };
}

type CreatedAtQuery = Pick<FlowRunsQuery, keyof typeof createdAtFilter>;

function idBounds(query: CreatedAtQuery, nowMs: number): Pick<RunFilters, "lowestId" | "endId"> {
  const { fromMs, toMs } = timeBounds(query, nowMs);
  return {
    ...(fromMs !== undefined && { lowestId: firstIdAt(Math.ceil(fromMs)) }),
    ...(toMs !== undefined && { endId: firstIdAt(Math.floor(toMs) + 1) }),
  };
}

/** Both ends belong to it. */
export function timeBounds(
  query: CreatedAtQuery,
  nowMs: number,
): { readonly fromMs: number | undefined; readonly toMs: number | undefined } {
  const text = query["filter[createdAt][period]"];
  const period = text === undefined ? undefined : toPeriod(text, nowMs);
  const froms = present(period?.fromMs, query["filter[createdAt][from]"]?.getTime());
  const tos = present(period?.toMs, query["filter[createdAt][to]"]?.getTime());
  return {
    fromMs: froms.length > 0 ? Math.max(...froms) : undefined,
    toMs: tos.length > 0 ? Math.min(...tos) : undefined,
  };
}

function present(...values: (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}

export function firstIdAt(timeMs: number): string {
  return lowestIdAt("run", Math.min(timeMs, LATEST_ID_TIME_MS));
}

/** Lists of runs are ordered by the id alone, whose time has to be the cursor's. */
export function toRunPageRequest(list: string, query: Parameters<typeof toPageRequest>[1]): PageRequest {
  const page = toPageRequest(list, query);
  for (const [name, position] of [
    ["page[after]", page.after] as const,
    ["page[before]", page.before] as const,
  ]) {
    if (!position || (isId("run", position.id) && idTimeMs(position.id) === position.createdAt.getTime()))
      continue;
    throw new Refusal("invalid_query", {
      issues: [{ path: [name], message: "is not a cursor of this list" }],
    });
  }
  return page;
}
