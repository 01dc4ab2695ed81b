import { type ReactNode, useEffect, useRef, useState } from "react";
import { useT } from "../../../texts/texts.tsx";
import { isObject } from "../document.ts";
import { isSame } from "../rewrite.ts";
import { useNodeWords } from "../node-words.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { InputComponent, InputProps } from "./input-props.ts";
import styles from "./forms.module.css";

interface Row {
  readonly key: number;
  readonly name: string;
  readonly value: unknown;
}

const ANY = {};

/** Names with values: a row for each. Two rows of one name cannot be; the later one is not written until it has another. */
export function RecordField(
  props: InputProps & { Input: InputComponent; onExpression: () => void },
): ReactNode {
  const t = useT();
  const say = useNodeWords();
  const { name, label = name, value, schema, path, isReadOnly, isRequired, Input, onChange } = props;
  const nextKey = useRef(0);
  const added = useRef<number>(undefined);
  const toRows = (from: unknown): Row[] =>
    Object.entries(isObject(from) ? from : {}).map(([name, value]) => ({
      key: nextKey.current++,
      name,
      value,
    }));
  const [rows, setRows] = useState<readonly Row[]>(() => toRows(value));
  const said = useRef(value);
  useEffect(() => {
    if (isSame(said.current, value)) return;
    said.current = value;
    setRows(toRows(value));
  }, [value]);

  const write = (changed: readonly Row[]) => {
    setRows(changed);
    const named = changed.filter(
      ({ name }, index) => name !== "" && changed.findIndex((row) => row.name === name) === index,
    );
    const record = Object.fromEntries(named.map(({ name, value }) => [name, value ?? ""]));
    const next = named.length === 0 ? undefined : record;
    if (isSame(said.current, next)) return;
    said.current = next;
    onChange(path, next);
  };
  const set = (key: number, changed: Partial<Row>) =>
    write(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));

  return (
    <fieldset className={styles.group}>
      <legend>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </legend>
      {schema.description && <p className={styles.help}>{say(schema.description)}</p>}
      {rows.map((row, index) => (
        <div key={row.key} className={styles.row}>
          <input
            aria-label={t("editor.rowName", { field: label, number: index + 1 })}
            placeholder={t("editor.name")}
            autoFocus={row.key === added.current}
            value={row.name}
            readOnly={isReadOnly}
            aria-invalid={rows.some((other) => other !== row && other.name === row.name)}
            onChange={(event) => set(row.key, { name: event.target.value })}
          />
          <Input
            {...props}
            name={row.name}
            label={t("editor.rowValue", { field: label, name: row.name || String(index + 1) })}
            hideLabel
            nodeType=""
            schema={ANY}
            value={row.value}
            path={[...path, row.name]}
            isRequired={false}
            onChange={(_, changed) => set(row.key, { value: changed })}
          />
          {!isReadOnly && (
            <button
              type="button"
              className="quiet"
              aria-label={t("editor.removeRow", { name: row.name || String(index + 1) })}
              onClick={() => write(rows.filter(({ key }) => key !== row.key))}
            >
              <Icon name="cross" />
            </button>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <div className="row">
          <button
            type="button"
            onClick={() => {
              added.current = nextKey.current++;
              setRows([...rows, { key: added.current, name: "", value: undefined }]);
            }}
          >
            {t("editor.addRow", { field: label })}
          </button>
          {rows.length === 0 && (
            <button type="button" className="quiet" onClick={props.onExpression}>
              {t("editor.expression")}
            </button>
          )}
        </div>
      )}
    </fieldset>
  );
}
