import type { ReactNode } from "react";
import type { DraftTested } from "@millrace/client";
import { useT } from "../../texts/texts.tsx";
import { Icon } from "../../ui/icon.tsx";
import styles from "./tests.module.css";

type Result = DraftTested["tests"][number];

/** How a test came out: in a word, and place by place where it failed. */
export function TestResult({ result }: { result: Result | undefined }): ReactNode {
  const t = useT();
  if (!result) return <span className="muted">–</span>;
  return (
    <div className="stack">
      <span className={styles.outcome} data-passed={result.passed}>
        <Icon name={result.passed ? "check" : "cross"} />
        {t(result.passed ? "tests.passed" : "tests.failed")}
      </span>
      {result.failures.map(({ what, message, differences = [] }) => (
        <div key={what + message} className={styles.failure}>
          <p>
            <strong>{what}</strong> {message}
          </p>
          {differences.length > 0 && (
            <ul className="mono small">
              {differences.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  );
}
