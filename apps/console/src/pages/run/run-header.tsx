import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { RunDetail } from "@millrace/client";
import { useFlow } from "../../api/flows.ts";
import type { NodeHead } from "../../api/nodes.ts";
import { forkRun } from "../../api/run-verbs.ts";
import { cancelRun, isTerminal } from "../../api/runs.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CopyButton } from "../../ui/copy.tsx";

import { Icon } from "../../ui/icon.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import { Ago, Duration } from "../../ui/time.tsx";
import { ForkDialog } from "./fork-dialog.tsx";
import { SaveTestDialog } from "./save-test-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { WhyNote } from "./why-note.tsx";
import styles from "./run-header.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly selected: string | undefined;
  readonly dialog: RunDialog | undefined;
  readonly onDialog: (dialog: RunDialog | undefined) => void;
}

export type RunDialog = "cancel" | "fork" | "share" | "test";

/** One line that says what this run is and how it does, and what can be done with it. */
export function RunHeader({ run, nodes, selected, dialog, onDialog }: Props): ReactNode {
  const t = useT();
  const { flowId, triggerSource } = run.payload;
  const name = useFlow(flowId).data?.name ?? flowId;
  const ended = isTerminal(run.status);
  const acts = mayAct("member");
  const lineage = run.forkedFrom?.runId ?? run.forks?.[0]?.runId;
  const close = () => onDialog(undefined);
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
          {acts && ended && run.status !== "COMPLETED" && <RetryButton run={run} />}
          {acts && (
            <button type="button" onClick={() => onDialog("fork")}>
              <Icon name="fork" />
              {t("run.fork")}
            </button>
          )}
          <Link to="/compare" search={lineage ? { a: lineage, b: run.id } : { a: run.id }} className="button">
            <Icon name="compare" />
            {t("run.compare")}
          </Link>
          {acts && (
            <button type="button" onClick={() => onDialog("share")}>
              <Icon name="share" />
              {t("run.share")}
            </button>
          )}
          {acts && (run.status === "COMPLETED" || run.status === "FAILED") && (
            <button type="button" onClick={() => onDialog("test")}>
              <Icon name="check" />
              {t("saveTest.button")}
            </button>
          )}
          {acts && !ended && (
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
        {run.forkedFrom && (
          <Fact name={t("run.forkedFrom")}>
            <Link to="/runs/$runId" params={{ runId: run.forkedFrom.runId }} className={styles.id}>
              {run.forkedFrom.runId}
            </Link>
            <code className={styles.id}>{run.forkedFrom.nodeKey}</code>
          </Fact>
        )}
        {run.forks && run.forks.length > 0 && (
          <Fact name={t("run.forks")}>
            {run.forks.map((fork) => (
              <Link key={fork.runId} to="/runs/$runId" params={{ runId: fork.runId }} className={styles.id}>
                {fork.runId}
              </Link>
            ))}
          </Fact>
        )}
      </dl>
      <WhyNote run={run} name={name} />
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
      {dialog === "cancel" && !ended && <CancelDialog run={run} onClose={close} />}
      {dialog === "fork" && <ForkDialog run={run} nodes={nodes} from={selected} onClose={close} />}
      {dialog === "share" && <ShareDialog run={run} nodes={nodes} onClose={close} />}
      {dialog === "test" && <SaveTestDialog run={run} onClose={close} />}
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

/** Executes again whatever did not end well, and keeps the rest. */
function RetryButton({ run }: { run: RunDetail }): ReactNode {
  const t = useT();
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => forkRun(run.id, { from: "failed" }),
    onSuccess: ({ runId }) => navigate({ to: "/runs/$runId", params: { runId }, search: {} }),
  });
  return (
    <>
      <button type="button" className="primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
        <Icon name="retry" />
        {t("run.retry")}
      </button>
      {retry.error && <ErrorNote error={retry.error} />}
    </>
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
    <Confirm
      title={t("run.cancelTitle")}
      text={t("run.cancelText")}
      action={t("run.cancel")}
      back={t("run.keep")}
      busy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onClose={onClose}
    />
  );
}
