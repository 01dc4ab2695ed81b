import type { ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import { Choice, Field } from "../../../ui/field.tsx";
import type { FlowNode } from "../flow.ts";
import { noteOf } from "../operations/set-field.ts";
import { fromNumberText } from "./value-text.ts";
import styles from "./forms.module.css";

interface Props {
  readonly node: FlowNode;
  readonly onChange: (path: readonly (string | number)[], value: unknown) => void;
  readonly isReadOnly: boolean;
}

/** What any node has: a note, retries, what happens on an error. */
export function NodeSettings({ node, onChange, isReadOnly }: Props): ReactNode {
  const t = useT();
  const { retry, timeoutSeconds, onError, join, disabled } = node.data ?? {};
  const number = (path: readonly string[], text: string) => {
    const value = fromNumberText(text);
    if (value === undefined || typeof value === "number") onChange(path, value);
  };
  const choose = (name: string, first: string, chosen: string) =>
    onChange(["data", name], chosen === first ? undefined : chosen);
  const choices = (...values: string[]) => values.map((value) => ({ value, text: value }));
  return (
    <>
      <div className={styles.field}>
        <label htmlFor="node-note">{t("editor.note")}</label>
        <textarea
          id="node-note"
          rows={2}
          readOnly={isReadOnly}
          value={noteOf(node)}
          onChange={(event) => onChange(["data", "ui", "note"], event.target.value || undefined)}
        />
      </div>
      <details className={styles.more}>
        <summary>{t("editor.errorsAndRetries")}</summary>
        <div className={styles.form}>
          <Choice
            label={t("editor.onError")}
            value={onError ?? "fail"}
            options={choices("fail", "continue", "branch")}
            onChange={(chosen) => choose("onError", "fail", chosen)}
          />
          <Field
            label={t("editor.maxAttempts")}
            type="number"
            min={1}
            max={10}
            value={retry?.maxAttempts ?? ""}
            readOnly={isReadOnly}
            onChange={(event) => number(["data", "retry", "maxAttempts"], event.target.value)}
          />
          <Field
            label={t("editor.backoff")}
            type="number"
            min={0}
            value={retry?.backoffSeconds ?? ""}
            readOnly={isReadOnly}
            onChange={(event) => number(["data", "retry", "backoffSeconds"], event.target.value)}
          />
          <Field
            label={t("editor.timeout")}
            type="number"
            min={0}
            value={timeoutSeconds ?? ""}
            readOnly={isReadOnly}
            onChange={(event) => number(["data", "timeoutSeconds"], event.target.value)}
          />
          <Choice
            label={t("editor.join")}
            value={join ?? "all"}
            options={choices("all", "any")}
            onChange={(chosen) => choose("join", "all", chosen)}
          />
          <label className="row">
            <input
              type="checkbox"
              disabled={isReadOnly}
              checked={disabled === true}
              onChange={(event) => onChange(["data", "disabled"], event.target.checked || undefined)}
            />
            {t("editor.disabled")}
          </label>
        </div>
      </details>
    </>
  );
}
