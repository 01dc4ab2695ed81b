import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { RunStatus } from "@millrace/client";
import { startJob, stopJob, useJob } from "../../api/jobs.ts";
import type { RunsSearch } from "../../search.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/notes.tsx";

type Action = "cancel" | "retry";

/** Which statuses an action can be asked for. */
const POSSIBLE: Readonly<Record<Action, readonly RunStatus[]>> = {
  cancel: ["WAITING", "EXECUTING", "PAUSED"],
  retry: ["FAILED", "CRASHED", "TIMED_OUT", "CANCELED"],
};

/** For all runs that the filters show, not only for those on the screen. */
export function BulkActions({ search, onDone }: { search: RunsSearch; onDone: () => void }): ReactNode {
  const t = useT();
  const [asked, setAsked] = useState<Action>();
  const offered = (action: Action) =>
    search.status === undefined || search.status.every((status) => POSSIBLE[action].includes(status));
  return (
    <>
      {offered("retry") && (
        <button type="button" onClick={() => setAsked("retry")}>
          {t("bulk.retry")}
        </button>
      )}
      {offered("cancel") && (
        <button type="button" onClick={() => setAsked("cancel")}>
          {t("bulk.cancel")}
        </button>
      )}
      {asked && (
        <BulkDialog
          action={asked}
          search={search}
          onClose={() => {
            setAsked(undefined);
            onDone();
          }}
        />
      )}
    </>
  );
}

function BulkDialog(props: { action: Action; search: RunsSearch; onClose: () => void }): ReactNode {
  const { action, search, onClose } = props;
  const { t, locale } = useLanguage();
  const start = useMutation({ mutationFn: () => startJob(action, search) });
  const stop = useMutation({ mutationFn: (id: string) => stopJob(id) });
  const job = useJob(start.data?.id).data ?? start.data;
  const count = (value: number) => value.toLocaleString(locale);
  return (
    <Dialog
      title={t(`bulk.${action}`)}
      onClose={onClose}
      footer={
        job ? (
          <>
            {job.status === "running" && (
              <button
                type="button"
                className="danger"
                disabled={stop.isPending}
                onClick={() => stop.mutate(job.id)}
              >
                {t("bulk.stop")}
              </button>
            )}
            <button type="button" onClick={onClose}>
              {t("action.close")}
            </button>
          </>
        ) : (
          <button type="button" className="danger" disabled={start.isPending} onClick={() => start.mutate()}>
            {t(`bulk.${action}`)}
          </button>
        )
      }
    >
      {job ? (
        <>
          <progress
            max={Math.max(1, job.total)}
            value={job.total - job.pending}
            aria-label={t("bulk.progress")}
          />
          <p role="status">
            {t("bulk.state", {
              done: count(job.done),
              total: count(job.total),
              skipped: count(job.skipped),
              failed: count(job.failed),
            })}
          </p>
          {job.reason && <p>{job.reason}</p>}
        </>
      ) : (
        <p>{t(`bulk.${action}Text`)}</p>
      )}
      {(start.error ?? stop.error) && <ErrorNote error={start.error ?? stop.error} />}
    </Dialog>
  );
}
