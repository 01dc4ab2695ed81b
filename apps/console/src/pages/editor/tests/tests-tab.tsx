import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { testDraft, useStoredTests } from "../../../api/flow-tests.ts";
import { mayAct } from "../../../lib/session.ts";
import { useT } from "../../../texts/texts.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { TestList } from "../../tests/test-list.tsx";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { BacktestPanel } from "./backtest-panel.tsx";
import { NewTestDialog } from "./new-test-dialog.tsx";
import styles from "./tests.module.css";
import { useSettled } from "./use-settled.ts";

/** The flow's tests, run again on each change once nobody types, and the draft against recorded runs. */
export function TestsTab(): ReactNode {
  const t = useT();
  const flowId = useEditor((state) => state.flowId);
  const { value: graph, change } = useSettled(useEditor((state) => state.flow.graph));
  const stored = useStoredTests(flowId);
  const results = useQuery({
    queryKey: ["flow", flowId, "tests", "results", stored.dataUpdatedAt, change],
    queryFn: ({ signal }) => testDraft(flowId, graph, signal),
    enabled: (stored.data?.length ?? 0) > 0,
    placeholderData: (before) => before,
    gcTime: 0,
    retry: false,
  });
  return (
    <div className={styles.panel}>
      <section className="stack" aria-label={t("tests.title")} aria-busy={results.isFetching}>
        <h2>{t("tests.title")}</h2>
        {results.data && (
          <p role="status">
            {t("tests.summary", { passed: results.data.passed, total: results.data.tests.length })}
          </p>
        )}
        {results.error && <ErrorNote error={results.error} />}
        <TestList flowId={flowId} results={results.data} />
        <AddTest />
        <RequireTests />
        <p className="small muted">{t("tests.help")}</p>
      </section>
      <BacktestPanel />
    </div>
  );
}

function AddTest(): ReactNode {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  if (!mayAct("admin")) return null;
  return (
    <div>
      <button type="button" onClick={() => setOpen(true)}>
        {t("tests.add")}
      </button>
      {isOpen && <NewTestDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Part of the draft like everything else: it counts from the next publishing on. */
function RequireTests(): ReactNode {
  const t = useT();
  const editor = useEditorStore();
  const isRequired = useEditor((state) => state.flow.requireTests === true);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  return (
    <label className="row">
      <input
        type="checkbox"
        checked={isRequired}
        disabled={isReadOnly}
        onChange={({ target: { checked } }) =>
          editor.getState().change(({ requireTests: _before, ...flow }) => ({
            ...flow,
            ...(checked && { requireTests: true }),
          }))
        }
      />
      {t("tests.require")}
    </label>
  );
}
