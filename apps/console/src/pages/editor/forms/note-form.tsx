import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from "react";
import { useT } from "../../../texts/texts.tsx";
import { Field } from "../../../ui/field.tsx";
import { type CanvasNote, MAX_NOTE, MIN_NOTE, sizeOf } from "../notes.ts";
import { changeNote } from "../operations/notes.ts";
import { useEditor } from "../use-editor.ts";
import styles from "./forms.module.css";

const MAX_LENGTH = 10_000;

/** A note on the canvas: what it says, where it lies and how large it is. */
export function NoteForm({ note }: { note: CanvasNote }): ReactNode {
  const t = useT();
  const change = useEditor((state) => state.change);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const { id, text, position } = note;
  const { width, height } = sizeOf(note);
  const set = (name: string, changed: Parameters<typeof changeNote>[1]) =>
    change(changeNote(id, changed), `note ${id} ${name}`);
  return (
    <form
      className={styles.form}
      aria-label={t("editor.formOf", { node: t("editor.note") })}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className={styles.field}>
        <label htmlFor="note-text">{t("editor.note")}</label>
        <textarea
          id="note-text"
          rows={6}
          maxLength={MAX_LENGTH}
          readOnly={isReadOnly}
          value={text}
          onChange={({ target }) => set("text", { text: target.value })}
        />
      </div>
      <div className={styles.place}>
        <NumberField
          label="X"
          value={position.x}
          readOnly={isReadOnly}
          onValue={(x) => set("x", { position: { ...position, x } })}
        />
        <NumberField
          label="Y"
          value={position.y}
          readOnly={isReadOnly}
          onValue={(y) => set("y", { position: { ...position, y } })}
        />
        <NumberField
          label={t("editor.width")}
          value={width}
          min={MIN_NOTE.width}
          max={MAX_NOTE}
          readOnly={isReadOnly}
          onValue={(wide) => set("width", { width: wide })}
        />
        <NumberField
          label={t("editor.height")}
          value={height}
          min={MIN_NOTE.height}
          max={MAX_NOTE}
          readOnly={isReadOnly}
          onValue={(high) => set("height", { height: high })}
        />
      </div>
    </form>
  );
}

type NumberProps = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
};

/** Takes effect when it is left: on the way to 150 stands 1. */
function NumberField({ value, onValue, ...field }: NumberProps): ReactNode {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const take = ({ validity, valueAsNumber }: HTMLInputElement) => {
    if (text === "" || !validity.valid) setText(String(value));
    else if (valueAsNumber !== value) onValue(valueAsNumber);
  };
  return (
    <Field
      {...field}
      type="number"
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={({ target }) => take(target)}
      onKeyDown={(event) => {
        if (event.key === "Enter") take(event.currentTarget);
      }}
    />
  );
}
