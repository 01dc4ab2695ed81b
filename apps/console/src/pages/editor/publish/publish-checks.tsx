import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { testDraft, useStoredTests } from "../../../api/flow-tests.ts";
import { useT } from "../../../texts/texts.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { TestResult } from "../../tests/test-result.tsx";
import { useEditor } from "../use-editor.ts";
import styles from "./publish.module.css";

/** What the service's validator and the flow's tests say of the draft. */
export function PublishChecks(): ReactNode {
  const t = useT();
  const flow = useEditor((state) => state.flow);
  const flowId = useEditor((state) => state.flowId);
  const errors = useEditor((state) => state.errors);
  const warnings = useEditor((state) => state.warnings);
  const stored = useStoredTests(flowId);
  const count = stored.data?.length ?? 0;
  const results = useQuery({
    queryKey: ["flow", flowId, "tests", "results", stored.dataUpdatedAt, flow.graph],
    queryFn: ({ signal }) => testDraft(flowId, flow.graph, signal),
    enabled: count > 0,
    gcTime: 0,
    retry: false,
  });
  const isRequired = flow.requireTests === true;
  return (
    <section className="stack" aria-label={t("publish.checks")}>
      <h3>{t("publish.checks")}</h3>
      <ul className={styles.checks}>
        {errors.map(({ message }) => (
          <li key={message} data-kind="error">
            {message}
          </li>
        ))}
        {warnings.map((message) => (
          <li key={message} data-kind="warning">
            {message}
          </li>
        ))}
        {errors.length === 0 && <li data-kind="good">{t("publish.valid")}</li>}
        {results.data && (
          <li data-kind={results.data.failed === 0 ? "good" : "error"}>
            {t("tests.summary", { passed: results.data.passed, total: results.data.tests.length })}
          </li>
        )}
        {stored.data && count === 0 && (
          <li data-kind={isRequired ? "error" : "warning"}>{t("publish.noTests")}</li>
        )}
        {isRequired && <li>{t("publish.required")}</li>}
      </ul>
      {results.error && <ErrorNote error={results.error} />}
      {results.data?.tests
        .filter(({ passed }) => !passed)
        .map((result) => (
          <div key={result.id} className="stack">
            <strong>{result.name}</strong>
            <TestResult result={result} />
          </div>
        ))}
    </section>
  );
}
