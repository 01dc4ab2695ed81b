import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useLiveRun } from "../../../api/live-run.ts";
import { useNodeValues } from "../../../api/nodes.ts";
import { isTerminal, useRun } from "../../../api/runs.ts";
import { useT } from "../../../texts/texts.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { Status } from "../../../ui/status.tsx";
import styles from "./live.module.css";

interface Props {
  readonly runId: string;
  /** The node that was executed alone. */
  readonly only: string | undefined;
  /** Its values are wanted in the editor. */
  readonly onUse: () => void;
}

/** How a test run goes, and what came out of it: of the whole, or of the one node that was executed. */
export function TestRunResult({ runId, only, onUse }: Props): ReactNode {
  const t = useT();
  const queries = useQueryClient();
  const run = useRun(runId);
  const status = run.data?.status;
  const isOver = status !== undefined && isTerminal(status);
  useLiveRun(runId, run.data);
  const node = useNodeValues(runId, only ?? "", status ?? "", isOver && only !== undefined);
  useEffect(() => {
    // From now on its values can be chosen.
    if (isOver) void queries.invalidateQueries({ queryKey: ["runs"] });
  }, [isOver, queries]);
  if (run.error && !run.data) return <ErrorNote error={run.error} retry={() => void run.refetch()} />;
  if (!run.data || status === undefined) return null;
  const output = only === undefined ? run.data.output : node.data?.output;
  const error = run.data.error ?? node.data?.error;
  return (
    <section className="stack" aria-label={t("tests.result")}>
      <p className="row" role="status">
        {t("testRun.started", { run: runId })}
        <Status status={status} />
      </p>
      {error && (
        <p className={styles.note}>
          <strong>{error.name}</strong> {error.message}
        </p>
      )}
      {isOver && output !== undefined && (
        <>
          <h3>{t("node.output")}</h3>
          <JsonView value={output} name={`${only ?? runId}-output`} />
        </>
      )}
      {isOver && (
        <div>
          <button type="button" onClick={onUse}>
            {t("testRun.use")}
          </button>
        </div>
      )}
    </section>
  );
}
