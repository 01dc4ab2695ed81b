import { useInfiniteQuery } from "@tanstack/react-query";
import type { QueueItem } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { request } from "./request.ts";

interface QueuePage {
  readonly data: readonly QueueItem[];
  readonly pagination?: { readonly next?: string };
}

export function useQueue() {
  return useInfiniteQuery({
    queryKey: ["queue"],
    queryFn: ({ pageParam, signal }) =>
      request<QueuePage>("/api/runs/queue", {
        query: {
          "filter[organizationId]": currentOrganization(),
          "page[size]": 100,
          "page[after]": pageParam,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.pagination?.next,
    refetchInterval: 5_000,
  });
}

export async function cancelQueueItem(queueId: string): Promise<void> {
  await request(`/api/runs/queue/${queueId}`, {
    method: "DELETE",
    query: { "filter[organizationId]": currentOrganization() },
  });
}
