import { type ReactNode, useId, useState } from "react";
import { useT } from "../texts/texts.tsx";
import styles from "./schema-form.module.css";

/** What a form needs of a JSON Schema; whatever else it demands is for the service to check. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface FormSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

export type FormValue = Readonly<Record<string, unknown>>;

/** The schema, where it describes an object with named fields. */
export function formSchema(schema: unknown): FormSchema | undefined {
  const { properties } = (schema ?? {}) as { properties?: unknown };
  return typeof properties === "object" && properties !== null ? (schema as FormSchema) : undefined;
}

interface Props {
  readonly schema: FormSchema;
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
}

/** One field for each property; what has no field of its own is written as JSON. */
export function SchemaForm({ schema, value, onChange }: Props): ReactNode {
  const set = (name: string, field: unknown) => {
    const { [name]: _before, ...rest } = value;
    onChange(field === undefined ? rest : { ...rest, [name]: field });
  };
  return (
    <div className={styles.form}>
      {Object.entries(schema.properties).map(([name, field]) => (
        <Property
          key={name}
          name={name}
          schema={field}
          required={schema.required?.includes(name) ?? false}
          value={value[name]}
          onChange={(changed) => set(name, changed)}
        />
      ))}
    </div>
  );
}

interface PropertyProps {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly required: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Property(props: PropertyProps): ReactNode {
  const { name, schema, required } = props;
  const id = useId();
  const type = [schema.type ?? []].flat().find((one) => one !== "null");
  const help = schema.description && { "aria-describedby": `${id}-help` };
  return (
    <div className={styles.field} data-kind={type}>
      <label htmlFor={id}>
        {schema.title ?? name}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      <Input {...props} id={id} type={type} help={help || {}} />
      {schema.description && (
        <span id={`${id}-help`} className={styles.help}>
          {schema.description}
        </span>
      )}
    </div>
  );
}

function Input(props: PropertyProps & { id: string; type: string | undefined; help: object }): ReactNode {
  const { id, schema, type, required, value, onChange, help } = props;
  if (schema.enum)
    return (
      <select
        id={id}
        required={required}
        value={schema.enum.indexOf(value)}
        onChange={(event) => onChange(schema.enum?.[Number(event.target.value)])}
        {...help}
      >
        <option value={-1}>–</option>
        {schema.enum.map((one, index) => (
          <option key={String(one)} value={index}>
            {String(one)}
          </option>
        ))}
      </select>
    );
  if (type === "boolean")
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
        {...help}
      />
    );
  if (type === "number" || type === "integer")
    return (
      <input
        id={id}
        type="number"
        required={required}
        step={type === "integer" ? 1 : "any"}
        min={schema.minimum}
        max={schema.maximum}
        value={typeof value === "number" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
        {...help}
      />
    );
  if (type === "string")
    return (
      <input
        id={id}
        required={required}
        maxLength={schema.maxLength}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
        {...help}
      />
    );
  return <JsonInput id={id} value={value} onChange={onChange} />;
}

function JsonInput(props: { id: string; value: unknown; onChange: (value: unknown) => void }): ReactNode {
  const t = useT();
  const [text, setText] = useState(props.value === undefined ? "" : JSON.stringify(props.value, null, 2));
  const [valid, setValid] = useState(true);
  return (
    <>
      <textarea
        id={props.id}
        className="mono"
        rows={3}
        spellCheck={false}
        aria-invalid={!valid}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          try {
            props.onChange(event.target.value.trim() === "" ? undefined : JSON.parse(event.target.value));
            setValid(true);
          } catch {
            setValid(false);
          }
        }}
      />
      <span role="status" className={styles.help}>
        {valid ? "" : t("value.invalid")}
      </span>
    </>
  );
}
