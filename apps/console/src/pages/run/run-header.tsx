import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { RunDetail } from "@millrace/client";
import { useFlow } from "../../api/flows.ts";
import { cancelRun, isTerminal } from "../../api/runs.ts";
import { useT } from "../../texts/texts.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration } from "../../ui/time.tsx";
import styles from "./run-header.module.css";

interface Props {
  readonly run: RunDetail;
  readonly dialog: "cancel" | undefined;
  readonly onDialog: (dialog: "cancel" | undefined) => void;
}

/** One line that says what this run is and how it does, and what can be done with it. */
export function RunHeader({ run, dialog, onDialog }: Props): ReactNode {
  const t = useT();
  const { flowId, triggerSource } = run.payload;
  const name = useFlow(flowId).data?.name ?? flowId;
  const ended = isTerminal(run.status);
  useEffect(() => {
    document.title = `${name} · ${run.id.slice(0, 12)} · Millrace`;
  }, [name, run.id]);
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <h1 className={styles.title}>
          <Link to="/flows/$flowId" params={{ flowId }}>
            {name}
          </Link>
          <span className={styles.version}>@{run.version}</span>
        </h1>
        <span role="status">
          <Status status={run.status} />
        </span>
        <div className={styles.actions}>
          {!ended && (
            <button type="button" className="danger" onClick={() => onDialog("cancel")}>
              <Icon name="stop" />
              {t("run.cancel")}
            </button>
          )}
        </div>
      </div>
      <dl className={styles.facts}>
        <Fact name={t("runs.run")}>
          <code className={styles.id}>{run.id}</code>
          <CopyButton text={run.id} label={t("run.copyId")} />
        </Fact>
        <Fact name={t("runs.created")}>
          <Ago value={run.createdAt} />
        </Fact>
        {run.startedAt && (
          <Fact name={t("runs.duration")}>
            <Duration from={run.startedAt} to={run.completedAt} />
          </Fact>
        )}
        <Fact name={t("runs.trigger")}>{t(`trigger.${triggerSource}`)}</Fact>
        {run.tags.length > 0 && (
          <Fact name={t("runs.tags")}>
            {run.tags.map((tag) => (
              <Link key={tag} to="/runs" search={{ tag }} className={styles.tag}>
                {tag}
              </Link>
            ))}
          </Fact>
        )}
      </dl>
      {run.error && (
        <p className={styles.error} role="status">
          <strong>{run.error.name}</strong> {run.error.message}
          {run.error.nodeId && (
            <>
              {" "}
              <Link
                to="/runs/$runId"
                params={{ runId: run.id }}
                search={{ node: run.error.nodeId, tab: "error" }}
              >
                {t("run.atNode", { node: run.error.nodeId })}
              </Link>
            </>
          )}
        </p>
      )}
      {dialog === "cancel" && !ended && <CancelDialog run={run} onClose={() => onDialog(undefined)} />}
    </header>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CancelDialog({ run, onClose }: { run: RunDetail; onClose: () => void }): ReactNode {
  const t = useT();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["run", run.id] });
      onClose();
    },
  });
  return (
    <Dialog
      title={t("run.cancelTitle")}
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {t("run.keep")}
          </button>
          <button
            type="button"
            className="danger"
            disabled={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            {t("run.cancel")}
          </button>
        </>
      }
    >
      <p>{t("run.cancelText")}</p>
      {cancel.error && <ErrorNote error={cancel.error} />}
    </Dialog>
  );
}
