import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { currentOrganization } from "../lib/session.ts";
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
