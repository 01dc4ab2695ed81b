import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type Job, stopJob, useJob, useRefusedRuns } from "../../api/jobs.ts";
import { useLanguage } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";

/** How far the service has got with many runs, and why it left some of them alone. */
export function JobDialog({ jobId, onClose }: { jobId: string; onClose: () => void }): ReactNode {
  const { t, locale } = useLanguage();
  const { data: job, error } = useJob(jobId);
  const stop = useMutation({ mutationFn: () => stopJob(jobId) });
  const count = (value: number) => value.toLocaleString(locale);
  return (
    <Dialog
      title={t(job?.action === "cancel" ? "bulk.cancel" : "bulk.retry")}
      onClose={onClose}
      footer={
        <>
          {job?.status === "running" && (
            <button type="button" className="danger" disabled={stop.isPending} onClick={() => stop.mutate()}>
              {t("bulk.stop")}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {t("action.close")}
          </button>
        </>
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
          {job.failed > 0 && <Refused job={job} />}
        </>
      ) : (
        <Loading />
      )}
      {(stop.error ?? error) && <ErrorNote error={stop.error ?? error} />}
    </Dialog>
  );
}

const MAX_SHOWN = 20;

function Refused({ job }: { job: Job }): ReactNode {
  const refused = useRefusedRuns(job.id, job.status !== "running");
  if (!refused.data) return null;
  return (
    <ul className="stack small">
      {refused.data.data.slice(0, MAX_SHOWN).map(({ runId, message }) => (
        <li key={runId}>
          <Link to="/runs/$runId" params={{ runId }} className="mono">
            {runId}
          </Link>{" "}
          {message}
        </li>
      ))}
    </ul>
  );
}
