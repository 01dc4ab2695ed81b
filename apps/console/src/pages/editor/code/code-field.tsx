import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { baseExtensions, loadLanguage, type CodeLanguage } from "./code-setup.ts";
import styles from "./code-field.module.css";

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language: CodeLanguage;
  readonly label: string;
  /** More of the editor's own extensions, such as completion; keep the same object while they are the same. */
  readonly extensions?: Extension;
  readonly help?: string | undefined;
  readonly isInvalid?: boolean;
  readonly isReadOnly?: boolean;
  readonly isRequired?: boolean;
  /** The label is for screen readers alone: something beside it says the same. */
  readonly hideLabel?: boolean;
  /** Takes the room that there is instead of growing with its text. */
  readonly fill?: boolean;
}

const NONE: Extension = [];

/**
 * A text with a language: expressions, templates, JavaScript, JSON, SQL, YAML. It stands in a shadow root of its own, so
 * that its styles need nothing of the page's policy. Tab leaves it.
 */
export function CodeField(props: Props): ReactNode {
  const { value, label, language, extensions = NONE, help, hideLabel, fill, isRequired } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const parts = useRef({ language: new Compartment(), more: new Compartment(), state: new Compartment() });
  const id = useId();
  const description = help ? `${label}. ${help}` : label;

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const { language, more, state } = parts.current;
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          baseExtensions,
          language.of([]),
          more.of(latest.current.extensions ?? NONE),
          state.of(stateOf(latest.current, description)),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const text = update.state.doc.toString();
            if (text !== latest.current.value) latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    let isCurrent = true;
    void loadLanguage(language).then((loaded) => {
      if (isCurrent) view.current?.dispatch({ effects: parts.current.language.reconfigure(loaded) });
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.more.reconfigure(extensions) });
  }, [extensions]);

  useEffect(() => {
    view.current?.dispatch({
      effects: parts.current.state.reconfigure(stateOf(latest.current, description)),
    });
  }, [description, props.isInvalid, props.isReadOnly, isRequired]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    // Somebody else changed it: another view of the draft, or undo.
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return (
    <div className={styles.field} data-fill={fill}>
      {!hideLabel && (
        <span id={id} className={styles.label} onClick={() => view.current?.focus()} aria-hidden="true">
          {label}
          {isRequired && " *"}
        </span>
      )}
      <div
        ref={host}
        className={styles.code}
        data-typing=""
        data-invalid={props.isInvalid}
        data-fill={fill}
      />
      {help && (
        <span className={styles.help} aria-hidden="true">
          {help}
        </span>
      )}
    </div>
  );
}

function stateOf({ isInvalid, isReadOnly, isRequired }: Props, label: string): Extension {
  return [
    EditorState.readOnly.of(isReadOnly === true),
    EditorView.contentAttributes.of({
      "aria-label": label,
      // It is reached by Tab as it is; those who check pages look for the attribute.
      tabindex: "0",
      ...(isInvalid && { "aria-invalid": "true" }),
      ...(isRequired && { "aria-required": "true" }),
      ...(isReadOnly && { "aria-readonly": "true" }),
    }),
  ];
}
