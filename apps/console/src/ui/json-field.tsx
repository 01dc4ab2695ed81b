import { type ReactNode, useId } from "react";
import { useT } from "../texts/texts.tsx";

interface Parsed {
  readonly ok: boolean;
  readonly value?: unknown;
}

/** Nothing is allowed, and is no value. */
export function parseJson(text: string): Parsed {
  if (text.trim() === "") return { ok: true };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** A value that is written as JSON; what is wrong with it is said while it is written. */
export function JsonField(props: {
  label: string;
  rows: number;
  text: string;
  placeholder?: string;
  onChange: (text: string) => void;
}): ReactNode {
  const t = useT();
  const id = useId();
  const { ok } = parseJson(props.text);
  return (
    <div className="stack">
      <label htmlFor={id}>{props.label}</label>
      <textarea
        id={id}
        className="mono"
        rows={props.rows}
        spellCheck={false}
        placeholder={props.placeholder}
        value={props.text}
        aria-invalid={!ok}
        aria-describedby={`${id}-fault`}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <p id={`${id}-fault`} role="status" className="small">
        {ok ? "" : t("value.invalid")}
      </p>
    </div>
  );
}
