import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { testDraft, useStoredTests } from "../../api/flow-tests.ts";
import { useT } from "../../texts/texts.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Panel } from "../../ui/page.tsx";
import { TestList } from "../tests/test-list.tsx";

/** The tests that are stored with a flow, run on its draft or the version in force. */
export function TestsPanel({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const tests = useStoredTests(flowId);
  const run = useMutation({ mutationFn: () => testDraft(flowId, undefined) });
  return (
    <Panel
      title={t("tests.title")}
      actions={
        <div className="row">
          {run.data && (
            <span role="status">
              {t("tests.summary", { passed: run.data.passed, total: run.data.tests.length })}
            </span>
          )}
          {(tests.data?.length ?? 0) > 0 && (
            <button type="button" disabled={run.isPending} onClick={() => run.mutate()}>
              {t("tests.run")}
            </button>
          )}
        </div>
      }
    >
      {run.error && <ErrorNote error={run.error} />}
      <TestList flowId={flowId} results={run.data} />
    </Panel>
  );
}
