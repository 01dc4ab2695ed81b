import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { useT } from "../../../texts/texts.tsx";
import { CodeField } from "../code/code-field.tsx";
import { type FieldPlace, FieldResult, useFieldExtensions } from "../mounts.tsx";
import { isSame } from "../rewrite.ts";
import { useNodeWords } from "../node-words.tsx";
import { type FieldKind, fieldKind } from "./field-kind.ts";
import type { InputProps } from "./input-props.ts";
import { ListField } from "./list-field.tsx";
import { RecordField } from "./record-field.tsx";
import { fromNumberText, fromPlainText, fromText, type Parsed, toText } from "./value-text.ts";
import styles from "./forms.module.css";

const isExpression = (value: unknown) => typeof value === "string" && value.includes("{{");

/** One input of a node, in the kind of field that its schema asks for; any of them may hold an expression instead. */
export function InputField(props: InputProps): ReactNode {
  const { nodeType, name, schema, value, isBareExpression = false } = props;
  const field = fieldKind(nodeType, name, schema, isBareExpression);
  const [isWritten, setWritten] = useState(false);
  const hasOwn = ["choice", "switch", "record", "list"].includes(field.kind);
  if (hasOwn && (isWritten || !fits(field, value)))
    return (
      <ValueField
        {...props}
        language={isExpression(value) ? "template" : "json"}
        parse={fromText}
        show={toText}
      />
    );
  const onExpression = () => setWritten(true);
  if (field.kind === "choice")
    return <ChoiceField {...props} options={field.options} onExpression={onExpression} />;
  if (field.kind === "switch") return <SwitchField {...props} />;
  if (field.kind === "record")
    return <RecordField {...props} Input={InputField} onExpression={onExpression} />;
  if (field.kind === "list") return <ListField {...props} Input={InputField} item={field.item} />;
  if (field.kind === "number")
    return <ValueField {...props} language="template" parse={parseNumber} show={showPlain} />;
  if (field.kind === "text" && (value === undefined || value === null || typeof value === "string"))
    return <ValueField {...props} language={field.language} parse={parsePlain} show={showPlain} />;
  return <ValueField {...props} language={field.language ?? "template"} parse={fromText} show={toText} />;
}

const parseNumber = (text: string): Parsed => ({ ok: true, value: fromNumberText(text) });
const parsePlain = (text: string): Parsed => ({ ok: true, value: fromPlainText(text) });
const showPlain = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** Whether the field can show the value that is there. */
function fits(field: FieldKind, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (field.kind === "choice") return field.options.includes(value);
  if (field.kind === "switch") return typeof value === "boolean";
  if (field.kind === "list") return Array.isArray(value);
  return typeof value === "object" && !Array.isArray(value);
}

interface ValueProps extends InputProps {
  readonly language: FieldPlace["language"];
  readonly parse: (text: string) => Parsed;
  readonly show: (value: unknown) => string;
}

function ValueField(props: ValueProps): ReactNode {
  const { nodeId, path, name, label = name, schema, value, language, show } = props;
  const t = useT();
  const say = useNodeWords();
  const place: FieldPlace = { nodeId, path, language };
  const extensions = useFieldExtensions(place);
  const [text, setText] = useState(() => show(value));
  const [isInvalid, setInvalid] = useState(false);
  const said = useRef(value);
  useEffect(() => {
    // Changed elsewhere: by undo, on the canvas, in the YAML.
    if (isSame(said.current, value)) return;
    said.current = value;
    setText(show(value));
    setInvalid(false);
  }, [value, show]);
  const latest = useRef(props);
  latest.current = props;
  const onChange = useCallback((written: string) => {
    setText(written);
    const parsed = latest.current.parse(written);
    setInvalid(!parsed.ok);
    if (!parsed.ok || isSame(said.current, parsed.value)) return;
    said.current = parsed.value;
    latest.current.onChange(latest.current.path, parsed.value);
  }, []);
  return (
    <div className={styles.field}>
      <CodeField
        value={text}
        onChange={onChange}
        language={language}
        label={label}
        extensions={extensions}
        help={props.hideLabel || !schema.description ? undefined : say(schema.description)}
        hideLabel={props.hideLabel === true}
        isInvalid={isInvalid}
        isReadOnly={props.isReadOnly}
        isRequired={props.isRequired === true}
      />
      {isInvalid && (
        <span role="status" className={styles.invalid}>
          {t("value.invalid")}
        </span>
      )}
      <FieldResult place={place} value={value} />
    </div>
  );
}

function ChoiceField(
  props: InputProps & { options: readonly unknown[]; onExpression: () => void },
): ReactNode {
  const t = useT();
  const say = useNodeWords();
  const id = useId();
  const { name, label = name, options, value, schema, isRequired, isReadOnly, path, onChange } = props;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <select
        id={id}
        disabled={isReadOnly}
        value={options.indexOf(value)}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          if (chosen === options.length) props.onExpression();
          else onChange(path, options[chosen]);
        }}
        aria-describedby={`${id}-help`}
      >
        <option value={-1}>–</option>
        {options.map((option, index) => (
          <option key={String(option)} value={index}>
            {String(option)}
          </option>
        ))}
        <option value={options.length}>{t("editor.expression")}</option>
      </select>
      <span id={`${id}-help`} className={styles.help}>
        {schema.description && say(schema.description)}
      </span>
    </div>
  );
}

function SwitchField(props: InputProps): ReactNode {
  const say = useNodeWords();
  const id = useId();
  const { name, label = name, value, schema, isReadOnly, path, onChange } = props;
  return (
    <div className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        disabled={isReadOnly}
        checked={
          value === undefined || value === null ? schema.default === true || name === "wait" : value === true
        }
        onChange={(event) => onChange(path, event.target.checked)}
        aria-describedby={`${id}-help`}
      />
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-help`} className={styles.help}>
        {schema.description && say(schema.description)}
      </span>
    </div>
  );
}
