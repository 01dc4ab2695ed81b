import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFlows } from "../../api/flows.ts";
import { cancelQueueItem, useQueue } from "../../api/queue.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, TableFrame } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";

/** What waits for a slot, next one first. */
export function QueuePage(): ReactNode {
  const t = useT();
  const queue = useQueue();
  const queries = useQueryClient();
  const names = new Map(useFlows().data?.map((flow) => [flow.id, flow.name]));
  const items = queue.data?.pages.flatMap((page) => page.data) ?? [];
  const cancel = useMutation({
    mutationFn: cancelQueueItem,
    onSettled: () => queries.invalidateQueries({ queryKey: ["queue"] }),
  });
  return (
    <Page title={t("nav.queue")}>
      {(queue.error ?? cancel.error) && (
        <ErrorNote error={queue.error ?? cancel.error} retry={() => void queue.refetch()} />
      )}
      {queue.isPending && <Loading />}
      {queue.data && items.length === 0 && <Empty title={t("queue.none")}>{t("queue.noneText")}</Empty>}
      {items.length > 0 && (
        <TableFrame label={t("nav.queue")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("queue.place")}</th>
                <th scope="col">{t("runs.flow")}</th>
                <th scope="col">{t("runs.run")}</th>
                <th scope="col">{t("queue.since")}</th>
                <th scope="col">
                  <span className="visually-hidden">{t("actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((item, index) => {
                const runId = item.id.replace(/^queue_/, "run_");
                return (
                  <tr key={item.id}>
                    <td className="number">{index + 1}</td>
                    <td>{names.get(item.flowId) ?? item.flowId}</td>
                    <td className="mono">
                      <Link to="/runs/$runId" params={{ runId }}>
                        {runId}
                      </Link>
                    </td>
                    <td>
                      <Ago value={item.createdAt} />
                    </td>
                    <td>
                      {mayAct("member") && (
                        <button
                          type="button"
                          disabled={cancel.isPending}
                          onClick={() => cancel.mutate(item.id)}
                        >
                          {t("queue.remove")}
                        </button>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </TableFrame>
      )}
      {queue.hasNextPage && (
        <button type="button" onClick={() => void queue.fetchNextPage()}>
          {t("action.more")}
        </button>
      )}
    </Page>
  );
}
