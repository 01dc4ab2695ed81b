import { type ReactNode, useState } from "react";
import { useFlows } from "../../../api/flows.ts";
import { useT } from "../../../texts/texts.tsx";
import { Choice } from "../../../ui/field.tsx";
import { CodeField } from "../code/code-field.tsx";
import { isObject } from "../document.ts";
import { setSetting } from "../operations/set-field.ts";
import { useEditor } from "../use-editor.ts";
import styles from "./forms.module.css";

/** What the document says beside its graph, and what is wrong with the whole. */
export function FlowForm(): ReactNode {
  const t = useT();
  const { input, tool, onFailure } = useEditor((state) => state.flow);
  const flowId = useEditor((state) => state.flowId);
  const change = useEditor((state) => state.change);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const flows = (useFlows().data ?? []).filter(({ id }) => id !== flowId);
  return (
    <form className={styles.form} aria-label={t("editor.flow")} onSubmit={(event) => event.preventDefault()}>
      <WholeProblems />
      <InputSchemaField
        value={input}
        isReadOnly={isReadOnly}
        onChange={(value) => change(setSetting("input", value), "input")}
      />
      <div className={styles.field}>
        <label htmlFor="flow-tool">{t("editor.tool")}</label>
        <textarea
          id="flow-tool"
          rows={2}
          readOnly={isReadOnly}
          value={tool?.description ?? ""}
          aria-describedby="flow-tool-help"
          onChange={({ target }) =>
            change(
              setSetting("tool", target.value === "" ? undefined : { ...tool, description: target.value }),
              "tool",
            )
          }
        />
        <span id="flow-tool-help" className={styles.help}>
          {t("editor.toolHelp")}
        </span>
      </div>
      <Choice
        label={t("editor.onFailure")}
        value={onFailure ?? ""}
        options={[
          { value: "", text: t("editor.none") },
          ...flows.map(({ id, name }) => ({ value: id, text: `${name} (${id})` })),
          ...(onFailure && !flows.some(({ id }) => id === onFailure)
            ? [{ value: onFailure, text: onFailure }]
            : []),
        ]}
        onChange={(id) => change(setSetting("onFailure", id || undefined))}
      />
    </form>
  );
}

function InputSchemaField(props: {
  value: Record<string, unknown> | undefined;
  isReadOnly: boolean;
  onChange: (value: Record<string, unknown> | undefined) => void;
}): ReactNode {
  const t = useT();
  const { value, isReadOnly, onChange } = props;
  const shown = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; of: string }>();
  const text = typed && typed.of === shown ? typed.text : shown;
  const read = (written: string): Record<string, unknown> | undefined | false => {
    if (written.trim() === "") return undefined;
    try {
      const parsed: unknown = JSON.parse(written);
      return isObject(parsed) ? parsed : false;
    } catch {
      return false;
    }
  };
  const isInvalid = read(text) === false;
  return (
    <div className={styles.field}>
      <CodeField
        value={text}
        language="json"
        label={t("editor.input")}
        help={t("editor.inputHelp")}
        isInvalid={isInvalid}
        isReadOnly={isReadOnly}
        onChange={(written) => {
          const parsed = read(written);
          const next = parsed === undefined || parsed === false ? "" : JSON.stringify(parsed, null, 2);
          setTyped({ text: written, of: parsed === false ? shown : next });
          if (parsed !== false && next !== shown) onChange(parsed);
        }}
      />
      {isInvalid && (
        <span role="status" className={styles.invalid}>
          {t("value.invalid")}
        </span>
      )}
    </div>
  );
}

/** Errors and warnings of the flow, each with the way to its node. */
function WholeProblems(): ReactNode {
  const t = useT();
  const errors = useEditor((state) => state.errors);
  const warnings = useEditor((state) => state.warnings);
  const select = useEditor((state) => state.select);
  return (
    <>
      {errors.length > 0 && (
        <ul className={styles.problems} aria-label={t("editor.errors")}>
          {errors.map(({ nodeId, message }) => (
            <li key={message}>
              {message}{" "}
              {nodeId && (
                <button type="button" className="quiet" onClick={() => select([nodeId])}>
                  {t("editor.show", { node: nodeId })}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className={styles.problems} data-kind="warning" aria-label={t("editor.warnings")}>
          {warnings.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {errors.length === 0 && <p className="muted small">{t("editor.valid")}</p>}
    </>
  );
}
