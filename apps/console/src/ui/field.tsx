import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import styles from "./field.module.css";

/** A label above its input, with a word of help below. */
export function Field(
  props: InputHTMLAttributes<HTMLInputElement> & { label: string; help?: string },
): ReactNode {
  const { label, help, ...input } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} {...(help && { "aria-describedby": `${id}-help` })} {...input} />
      {help && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
    </div>
  );
}

export function Choice(props: {
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly text: string }[];
  onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{props.label}</label>
      <select id={id} value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        {props.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
