import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { RunStatus } from "@millrace/client";
import { startJob, useRunningJob } from "../../api/jobs.ts";
import type { RunsSearch } from "../../search.ts";
import { useLanguage, useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { JobDialog } from "./job-dialog.tsx";

type Action = "cancel" | "retry";

/** Which statuses an action can be asked for. */
const POSSIBLE: Readonly<Record<Action, readonly RunStatus[]>> = {
  cancel: ["WAITING", "EXECUTING", "PAUSED"],
  retry: ["FAILED", "CRASHED", "TIMED_OUT", "CANCELED"],
};

/** For all runs that the filters show, not only for those on the screen; and what was begun so before and still goes on. */
export function BulkActions(props: {
  search: RunsSearch;
  /** There is something to do it to. */
  offered: boolean;
  onDone: () => void;
}): ReactNode {
  const { search, onDone } = props;
  const { t, locale } = useLanguage();
  const [asked, setAsked] = useState<Action>();
  const [watched, setWatched] = useState<string>();
  const running = useRunningJob(watched === undefined).data;
  const offered = (action: Action) =>
    props.offered &&
    (search.status === undefined || search.status.every((status) => POSSIBLE[action].includes(status)));
  return (
    <>
      {running && watched === undefined && (
        <button type="button" onClick={() => setWatched(running.id)}>
          {t(running.action === "cancel" ? "run.cancel" : "run.retry")}:{" "}
          {(running.total - running.pending).toLocaleString(locale)}/{running.total.toLocaleString(locale)}{" "}
          <span className="visually-hidden">{t("audit.show")}</span>
        </button>
      )}
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
        <StartDialog
          action={asked}
          search={search}
          onStarted={(jobId) => {
            setAsked(undefined);
            setWatched(jobId);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {watched !== undefined && (
        <JobDialog
          jobId={watched}
          onClose={() => {
            setWatched(undefined);
            onDone();
          }}
        />
      )}
    </>
  );
}

function StartDialog(props: {
  action: Action;
  search: RunsSearch;
  onStarted: (jobId: string) => void;
  onClose: () => void;
}): ReactNode {
  const { action, search, onStarted, onClose } = props;
  const t = useT();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => startJob(action, search),
    onSuccess: (job) => {
      queries.setQueryData(["job", job.id], job);
      onStarted(job.id);
    },
  });
  return (
    <Confirm
      title={t(`bulk.${action}`)}
      text={t(`bulk.${action}Text`)}
      action={t(`bulk.${action}`)}
      busy={start.isPending}
      error={start.error}
      onConfirm={() => start.mutate()}
      onClose={onClose}
    />
  );
}
