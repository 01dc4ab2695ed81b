import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { RunDetail } from "@millrace/client";
import { type NodeHead, useNodeValues, useRunTrigger } from "../../api/nodes.ts";
import { forkRun, type ForkRequest } from "../../api/run-verbs.ts";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./fork-dialog.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly from: string | undefined;
  readonly onClose: () => void;
}

type Change = "none" | "trigger" | "output";

/** A new run that begins in the middle of this one: what ended before stays as it was, the rest is executed. */
export function ForkDialog({ run, nodes, from: proposed, onClose }: Props): ReactNode {
  const t = useT();
  const navigate = useNavigate();
  const failed = nodes.find(({ status }) => status === "FAILED" || status === "TIMED_OUT");
  const [from, setFrom] = useState(proposed ?? failed?.nodeKey ?? "start");
  const [version, setVersion] = useState("same");
  const [change, setChange] = useState<Change>("none");
  const [text, setText] = useState("");
  const trigger = useRunTrigger(run.id, change === "trigger");
  const values = useNodeValues(run.id, from, "fork", change === "output" && from !== "start");
  const edited = text !== "" ? text : initialText(change, trigger.data?.trigger, values.data?.output);
  const parsed = parse(change === "none" ? "{}" : edited);
  const begin = nodes.find(({ nodeKey }) => nodeKey === from);
  const startsAt = begin ? Date.parse(begin.startedAt) : 0;
  const kept = from === "start" ? [] : nodes.filter((node) => keeps(node, startsAt, from));

  const fork = useMutation({
    mutationFn: () => forkRun(run.id, toRequest({ from, version, change, value: parsed.value })),
    onSuccess: async ({ runId }) => {
      onClose();
      await navigate({ to: "/runs/$runId", params: { runId }, search: {} });
    },
  });
  return (
    <Dialog
      wide
      title={t("fork.title")}
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {t("action.close")}
          </button>
          <button
            type="button"
            className="primary"
            disabled={fork.isPending || !parsed.ok}
            onClick={() => fork.mutate()}
          >
            {t("fork.submit")}
          </button>
        </>
      }
    >
      <p className="muted">{t("fork.text")}</p>
      <div className={styles.form}>
        <label htmlFor="fork-from">{t("fork.from")}</label>
        <select
          id="fork-from"
          value={from}
          onChange={(event) => {
            setFrom(event.target.value);
            if (event.target.value === "start" && change === "output") setChange("none");
            setText("");
          }}
        >
          <option value="start">{t("fork.start")}</option>
          {nodes.map(({ nodeKey }) => (
            <option key={nodeKey} value={nodeKey}>
              {nodeKey}
            </option>
          ))}
        </select>
        <label htmlFor="fork-version">{t("runs.version")}</label>
        <select id="fork-version" value={version} onChange={(event) => setVersion(event.target.value)}>
          <option value="same">{t("fork.same", { version: run.version })}</option>
          <option value="active">{t("fork.active")}</option>
        </select>
        <label htmlFor="fork-change">{t("fork.change")}</label>
        <select
          id="fork-change"
          value={change}
          onChange={(event) => {
            setChange(event.target.value as Change);
            setText("");
          }}
        >
          <option value="none">{t("fork.nothing")}</option>
          <option value="trigger">{t("fork.trigger")}</option>
          {from !== "start" && <option value="output">{t("fork.output", { node: from })}</option>}
        </select>
      </div>
      {change !== "none" && (
        <div className="stack">
          <label htmlFor="fork-value">{t("fork.value")}</label>
          <textarea
            id="fork-value"
            className="mono"
            rows={12}
            spellCheck={false}
            value={edited}
            aria-invalid={!parsed.ok}
            aria-describedby="fork-fault"
            onChange={(event) => setText(event.target.value)}
          />
          <p id="fork-fault" role="status" className={styles.fault}>
            {parsed.ok ? "" : t("value.invalid")}
          </p>
        </div>
      )}
      <section className="stack">
        <h3>{t("fork.kept")}</h3>
        {kept.length === 0 ? (
          <p className="muted">{t("fork.keptNothing")}</p>
        ) : (
          <ul className="row">
            {kept.map((node) => (
              <li key={node.nodeKey} className="row small">
                <Status status={node.status} compact />
                <span className="mono">{node.nodeKey}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {fork.error && <ErrorNote error={fork.error} />}
    </Dialog>
  );
}

function keeps(node: NodeHead, startsAt: number, from: string): boolean {
  return (
    node.status === "COMPLETED" &&
    node.nodeKey !== from &&
    node.completedAt !== undefined &&
    Date.parse(node.completedAt) <= startsAt
  );
}

function initialText(change: Change, trigger: unknown, output: unknown): string {
  if (change === "none") return "";
  const value = change === "trigger" ? trigger : output;
  return JSON.stringify(value ?? {}, null, 2);
}

function parse(text: string): { ok: boolean; value?: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function toRequest(wish: { from: string; version: string; change: Change; value: unknown }): ForkRequest {
  const { from, version, change, value } = wish;
  return {
    from,
    version,
    ...(change === "trigger" && { trigger: value }),
    ...(change === "output" && { outputs: { [from]: value } }),
  };
}
