import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import type { RunDetail } from "@millrace/client";
import { useFlowGraph } from "../../api/flows.ts";
import { type NodeHead, useNodeValues, useRunTrigger } from "../../api/nodes.ts";
import { forkRun, type ForkRequest } from "../../api/run-verbs.ts";
import type { FlowGraph } from "../../graph/graph-model.ts";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { JsonField, parseJson } from "../../ui/json-field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./fork-dialog.module.css";

interface Props {
  readonly run: RunDetail;
  readonly nodes: readonly NodeHead[];
  readonly from: string | undefined;
  readonly onClose: () => void;
}

type Change = "none" | "trigger" | "input" | "output";

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
  const values = useNodeValues(
    run.id,
    from,
    "fork",
    (change === "output" || change === "input") && from !== "start",
  );
  const before = {
    none: undefined,
    trigger: trigger.data?.trigger,
    input: values.data?.input,
    output: values.data?.output,
  }[change];
  const edited = text !== "" || change === "none" ? text : JSON.stringify(before ?? {}, null, 2);
  const parsed = parseJson(change === "none" ? "{}" : edited);
  const begin = nodes.find(({ nodeKey }) => nodeKey === from);
  const startsAt = begin ? Date.parse(begin.startedAt) : 0;
  const kept = from === "start" ? [] : nodes.filter((node) => keeps(node, startsAt, from));
  const graph = useFlowGraph(run.payload.flowId, version === "same" ? run.version : undefined).data?.graph;
  const willRun = useMemo(() => (graph ? nodesBehind(graph, from) : []), [graph, from]);

  const fork = useMutation({
    mutationFn: () =>
      forkRun(
        run.id,
        toRequest({ from, nodeId: begin?.nodeId ?? from, version, change, before, value: parsed.value }),
      ),
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
            if (event.target.value === "start" && change !== "trigger") setChange("none");
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
          {from !== "start" && <option value="input">{t("fork.input", { node: from })}</option>}
          {from !== "start" && <option value="output">{t("fork.output", { node: from })}</option>}
        </select>
      </div>
      {change !== "none" && <JsonField label={t("fork.value")} rows={12} text={edited} onChange={setText} />}
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
      {willRun.length > 0 && (
        <section className="stack">
          <h3>{t("fork.runs")}</h3>
          <p className="small mono">{willRun.join(", ")}</p>
        </section>
      )}
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

/** The node and whatever can be reached from it; of a round its container and what follows. */
function nodesBehind({ nodes, edges }: FlowGraph, from: string): string[] {
  if (from === "start") return nodes.map(({ id }) => id);
  const reached = new Set([from.replace(/\[.*$/, "")]);
  for (const id of reached) for (const { source, target } of edges) if (source === id) reached.add(target);
  return nodes.filter(({ id }) => reached.has(id)).map(({ id, label }) => label || id);
}

interface Wish {
  readonly from: string;
  readonly nodeId: string;
  readonly version: string;
  readonly change: Change;
  readonly before: unknown;
  readonly value: unknown;
}

function toRequest({ from, nodeId, version, change, before, value }: Wish): ForkRequest {
  return {
    from,
    version,
    ...(change === "trigger" && { trigger: value }),
    ...(change === "input" && { inputs: changedInputs(nodeId, before, value) }),
    ...(change === "output" && { outputs: { [from]: value } }),
  };
}

/** Inputs are replaced one by one, those that were not touched stay expressions. */
function changedInputs(nodeId: string, before: unknown, value: unknown): Record<string, unknown> {
  const old = (before ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries((value ?? {}) as Record<string, unknown>)
      .filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(old[name]))
      .map(([name, one]) => [`${nodeId}_${name}`, one]),
  );
}
