import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { BacktestChange } from "@millrace/client";
import { valueWords } from "../../../lib/test-words.ts";
import { useT } from "../../../texts/texts.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Status } from "../../../ui/status.tsx";
import styles from "./tests.module.css";

/** Each run that comes out otherwise: status, output, path, and calls that were never made. */
export function BacktestChanges({ changes }: { changes: readonly BacktestChange[] }): ReactNode {
  const t = useT();
  return (
    <DataTable
      label={t("backtest.changes")}
      items={changes}
      keyOf={({ runId }) => runId}
      columns={[
        {
          name: t("runs.run"),
          cell: ({ runId }) => (
            <Link to="/runs/$runId" params={{ runId }} className="mono">
              {runId}
            </Link>
          ),
        },
        {
          name: t("runs.status"),
          cell: ({ before, after }) => (
            <span className="row">
              <Status status={before} />
              {after !== before && (
                <>
                  <span aria-label={t("backtest.becomes")}>→</span>
                  {after === "UNKNOWN" ? t("backtest.unknown") : <Status status={after} />}
                </>
              )}
            </span>
          ),
        },
        { name: t("backtest.difference"), cell: (change) => <Difference change={change} /> },
      ]}
    />
  );
}

function Difference({ change }: { change: BacktestChange }): ReactNode {
  const t = useT();
  const { output, path, calls, error } = change;
  return (
    <ul className={styles.differences}>
      {output.map((one) => (
        <li key={one.path}>
          <code>{one.path || t("run.output")}</code>: <del>{valueWords(t, one.before)}</del> →{" "}
          <ins>{valueWords(t, one.after)}</ins>
        </li>
      ))}
      {error && (
        <li>
          {error.before && <del>{error.before}</del>} {error.after && <ins>{error.after}</ins>}
        </li>
      )}
      {path.map((one) => (
        <li key={`${one.nodeKey} ${one.change}`}>
          <code>{one.nodeKey}</code> {t(`backtest.path-${one.change}`)}
          {one.change === "handle" && `: ${one.before ?? ""} → ${one.after ?? ""}`}
        </li>
      ))}
      {calls.map((one) => (
        <li key={`${one.nodeKey} ${one.change} ${JSON.stringify(one.input)}`}>
          <code>{one.nodeKey}</code> {t(`backtest.call-${one.change}`)}
        </li>
      ))}
    </ul>
  );
}
