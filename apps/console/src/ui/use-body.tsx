import { type ReactNode, useState } from "react";
import { useT } from "../texts/texts.tsx";
import { JsonField, parseJson } from "./json-field.tsx";
import { formSchema, type FormValue, SchemaForm } from "./schema-form.tsx";

interface Body {
  /** Whether it can be sent as it stands. */
  readonly ok: boolean;
  /** Nothing where nothing was written. */
  readonly value?: unknown;
  readonly field: ReactNode;
}

/** What a run is started with: a form where the flow says what it takes, otherwise JSON. */
export function useBody(input: unknown): Body {
  const t = useT();
  const form = formSchema(input);
  const [text, setText] = useState("");
  const [value, setValue] = useState<FormValue>({});
  if (form) return { ok: true, value, field: <SchemaForm schema={form} value={value} onChange={setValue} /> };
  const label = t("flow.body");
  const placeholder = '{"name": "Ada"}';
  return {
    ...parseJson(text),
    field: <JsonField label={label} rows={6} placeholder={placeholder} text={text} onChange={setText} />,
  };
}
