import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { currentOrganization } from "../lib/session.ts";
import { readPages } from "./read-pages.ts";
import { type Request, requestData } from "./request.ts";
import type { Page } from "./runs.ts";

/** A list under /manage of the organization that is looked at, page by page. */
export function useManagedList<Item>(
  path: string,
  query: NonNullable<Request["query"]> = {},
  refetchInterval: number | false = false,
) {
  return useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      requestData<Page<Item>>(path, {
        query: {
          organizationId: currentOrganization(),
          "page[size]": 50,
          "page[after]": pageParam,
          ...query,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination.next,
    refetchInterval,
  });
}

const MAX_PAGES = 20;

/** All of a list, where one page is not enough to find something in it. */
export function useWholeList<Item>(path: string) {
  return useQuery({
    queryKey: [path, "all"],
    queryFn: ({ signal }) =>
      readPages(MAX_PAGES, (after) =>
        requestData<Page<Item>>(path, {
          query: { organizationId: currentOrganization(), "page[size]": 100, "page[after]": after },
          signal,
        }),
      ),
  });
}

/** Changes something under /manage; the lists that begin with `path` are read again. */
export function useManage<Answer, Input>(
  path: string,
  toRequest: (input: Input) => Request & { path: string },
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => {
      const { path: target, ...request } = toRequest(input);
      return requestData<Answer>(target, request);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [path] }),
  });
}
