import type { ReactNode } from "react";
import type { DraftTested } from "@millrace/client";
import { testWords } from "../../lib/test-words.ts";
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
      {result.failures.map(({ message, words, places = [] }) => (
        <div key={message} className={styles.failure}>
          <p>{testWords(t, words)}</p>
          {places.length > 0 && (
            <ul className="mono small">
              {places.map((place) => (
                <li key={JSON.stringify(place)}>{testWords(t, place)}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  );
}
