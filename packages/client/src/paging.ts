import type { QueryValue } from "./transport.ts";
import type { RunStatus } from "./wire.ts";

/** Newest first; `after` and `before` take the cursors of an earlier page. */
export interface PageRequest {
  readonly pageSize?: number | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  /** Cursors of the pages beside this one, where there are any. */
  readonly pagination: { readonly next?: string; readonly prev?: string };
}

export interface RunFilter {
  readonly status?: readonly RunStatus[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly createdFrom?: Date | string | undefined;
  readonly createdTo?: Date | string | undefined;
  /** `today`, `yesterday`, `hour`, `day`, `week`, `month`, `year`, or `30m`, `12h`, `7d`, `2w`. */
  readonly period?: string | undefined;
  readonly isTest?: boolean | undefined;
}

type Query = Readonly<Record<string, QueryValue>>;

export function pageQuery({ pageSize, after, before }: PageRequest): Query {
  return { "page[size]": pageSize, "page[after]": after, "page[before]": before };
}

export function runFilterQuery(filter: RunFilter): Query {
  return {
    "filter[status]": filter.status,
    "filter[tag]": filter.tag,
    "filter[createdAt][from]": filter.createdFrom,
    "filter[createdAt][to]": filter.createdTo,
    "filter[createdAt][period]": filter.period,
    "filter[isTest]": filter.isTest,
  };
}
