import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFlowNames } from "../../api/flows.ts";
import { cancelQueueItem, useQueue } from "../../api/queue.ts";
import { useWhy } from "../../api/run-verbs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { Ago } from "../../ui/time.tsx";
import { WhyCommands, WhyHolders } from "../run/why-parts.tsx";

function runOf(queueId: string): string {
  return queueId.replace(/^queue_/, "run_");
}

/** What waits for a slot, next one first. */
export function QueuePage(): ReactNode {
  const t = useT();
  const queue = useQueue();
  const queries = useQueryClient();
  const names = useFlowNames();
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
      {items[0] && <QueueReason runId={runOf(items[0].id)} />}
      {queue.data && items.length === 0 && <Empty title={t("queue.none")}>{t("queue.noneText")}</Empty>}
      {items.length > 0 && (
        <DataTable
          label={t("nav.queue")}
          items={items.map((item, index) => ({ ...item, place: index + 1 }))}
          keyOf={({ id }) => id}
          columns={[
            { name: t("queue.place"), className: "number", cell: ({ place }) => place },
            { name: t("runs.flow"), title: true, cell: ({ flowId }) => names.get(flowId) ?? flowId },
            {
              name: t("runs.run"),
              className: "mono",
              cell: ({ id }) => {
                const runId = runOf(id);
                return (
                  <Link to="/runs/$runId" params={{ runId }}>
                    {runId}
                  </Link>
                );
              },
            },
            { name: t("queue.since"), cell: ({ createdAt }) => <Ago value={createdAt} /> },
            {
              name: t("actions"),
              hidden: true,
              cell: ({ id }) =>
                mayAct("member") && (
                  <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(id)}>
                    {t("queue.remove")}
                  </button>
                ),
            },
          ]}
        />
      )}
      {queue.hasNextPage && (
        <button type="button" onClick={() => void queue.fetchNextPage()}>
          {t("action.more")}
        </button>
      )}
    </Page>
  );
}

/** What the next one waits for holds up all behind it: who has the slots, and what can be done. */
function QueueReason({ runId }: { runId: string }): ReactNode {
  const t = useT();
  const { data: why } = useWhy(runId, true, { keepsLast: true });
  if (!why?.waiting) return null;
  return (
    <Panel title={t("why.title")}>
      <p>{why.reason}</p>
      <WhyHolders why={why} />
      <WhyCommands why={why} />
    </Panel>
  );
}
