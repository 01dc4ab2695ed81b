import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { BacktestResult } from "@millrace/client";
import { requestData } from "../../../api/request.ts";
import type { NodeMark } from "../../../graph/graph-model.ts";
import { GraphView } from "../../../graph/graph-view.tsx";
import { useT } from "../../../texts/texts.tsx";
import { Choice } from "../../../ui/field.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { structureOf } from "../structure.ts";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { BacktestChanges } from "./backtest-changes.tsx";
import styles from "./tests.module.css";

const COUNTS = ["50", "200", "1000"];

/** The draft against the newest recorded runs: which come out otherwise, and where. Nothing leaves the service. */
export function BacktestPanel(): ReactNode {
  const t = useT();
  const editor = useEditorStore();
  const [last, setLast] = useState("200");
  const backtest = useMutation({
    mutationFn: () => {
      const { flowId, flow } = editor.getState();
      return requestData<BacktestResult>(`/manage/flows/${encodeURIComponent(flowId)}/backtest`, {
        method: "POST",
        body: { last: Number(last), graph: flow.graph },
      });
    },
  });
  return (
    <section className="stack" aria-label={t("backtest.title")}>
      <h2>{t("backtest.title")}</h2>
      <p className="small muted">{t("backtest.text")}</p>
      <div className={styles.start}>
        <Choice
          label={t("backtest.last")}
          value={last}
          options={COUNTS.map((value) => ({ value, text: value }))}
          onChange={setLast}
        />
        <button type="button" disabled={backtest.isPending} onClick={() => backtest.mutate()}>
          {t(backtest.isPending ? "backtest.running" : "backtest.run")}
        </button>
      </div>
      {backtest.error && <ErrorNote error={backtest.error} />}
      {backtest.data && <Result result={backtest.data} />}
    </section>
  );
}

function Result({ result }: { result: BacktestResult }): ReactNode {
  const t = useT();
  const graph = useEditor((state) => state.flow.graph);
  const structure = useMemo(() => structureOf(graph), [graph]);
  const marks = useMemo(
    () =>
      new Map(
        result.nodes.map(({ nodeId, added, removed, handle, calls }): [string, NodeMark] => {
          const texts = [
            added > 0 && t("backtest.added", { count: added }),
            removed > 0 && t("backtest.removed", { count: removed }),
            handle > 0 && t("backtest.handle", { count: handle }),
            calls > 0 && t("backtest.calls", { count: calls }),
          ].filter((text) => text !== false);
          return [nodeId, { difference: "changed", text: texts.join(", ") }];
        }),
      ),
    [result, t],
  );
  const { runs, changed, unchanged, skipped, raced, complete } = result;
  return (
    <>
      <p role="status">
        <strong>
          {changed === 0 ? t("backtest.none", { runs }) : t("backtest.changed", { changed, runs, unchanged })}
        </strong>
        {skipped.length > 0 && ` ${t("backtest.skipped", { count: skipped.length })}`}
        {raced.length > 0 && ` ${t("backtest.raced", { count: raced.length })}`}
        {!complete && ` ${t("backtest.incomplete")}`}
      </p>
      {changed > 0 && (
        <>
          <div className={styles.graph}>
            <GraphView
              graph={structure}
              marks={marks}
              selected={undefined}
              onSelect={() => {}}
              label={t("backtest.graph")}
            />
          </div>
          <BacktestChanges changes={result.changes} />
        </>
      )}
    </>
  );
}
