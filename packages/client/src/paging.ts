import type { CallOptions, Query, Transport } from "./transport.ts";
import type { RunStatus } from "./wire.ts";

/** Newest first; `after` and `before` take the cursors of an earlier page. */
export interface PageRequest {
  readonly pageSize?: number | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** One page; as an iteration its items and those of all pages after it. */
export interface Page<Item> extends AsyncIterable<Item> {
  readonly data: readonly Item[];
  /** Cursors of the pages beside this one, where there are any. */
  readonly pagination: { readonly next?: string; readonly prev?: string };
  /** The page after this one, or undefined where this is the last. */
  nextPage(): Promise<Page<Item> | undefined>;
}

/**
 * `await` gives the first page, `for await` every item of every page.
 *
 * @example for await (const run of millrace.runs.list({ status: ["FAILED"] })) console.log(run.id);
 */
export interface PagePromise<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {}

export interface RunFilter {
  readonly status?: readonly RunStatus[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly createdFrom?: Date | string | undefined;
  readonly createdTo?: Date | string | undefined;
  /** `today`, `yesterday`, `hour`, `day`, `week`, `month`, `year`, or `30m`, `12h`, `7d`, `2w`. */
  readonly period?: string | undefined;
  readonly isTest?: boolean | undefined;
}

interface Answered<Item> {
  readonly data: readonly Item[];
  readonly pagination?: Page<Item>["pagination"];
}

/** A list of the service; `cursor` is the parameter that takes `pagination.next`. */
export function listOf<Item>(
  transport: Transport,
  path: string,
  query: Query,
  options: CallOptions,
  cursor = "page[after]",
): PagePromise<Item> {
  const load = async (asked: Query): Promise<Page<Item>> => {
    const call = { ...options, query: asked };
    const answer = await transport.call<{ data: Answered<Item> | readonly Item[] }>("GET", path, call);
    // Lists of the contract are either bare, with the cursors beside them, or one object.
    const inner = "data" in answer.data ? answer.data : (answer as Answered<Item>);
    const { data, pagination = {} } = inner;
    const nextPage = async () =>
      pagination.next === undefined
        ? undefined
        : load({ ...asked, [cursor]: pagination.next, "page[before]": undefined });
    return {
      data,
      pagination,
      nextPage,
      async *[Symbol.asyncIterator]() {
        yield* data;
        for (let page = await nextPage(); page; page = await page.nextPage()) yield* page.data;
      },
    };
  };
  const first = load(query);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* await first;
    },
  });
}

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

/** A path with its parts encoded. */
export function pathOf(root: string, ...parts: readonly string[]): string {
  return [root, ...parts.map(encodeURIComponent)].join("/");
}
