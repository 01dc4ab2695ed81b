import { type ReactNode, useEffect, useId, useRef } from "react";
import { useT } from "../texts/texts.tsx";
import { Icon } from "./icon.tsx";
import styles from "./dialog.module.css";

/** The browser's own modal: it keeps the focus inside and gives it back, and Escape closes it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  footer?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const t = useT();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      className={props.wide ? styles.wide : undefined}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) props.onClose();
      }}
    >
      <div className={styles.frame}>
        <header className={styles.header}>
          <h2 id={id}>{props.title}</h2>
          <button type="button" className="quiet" aria-label={t("action.close")} onClick={props.onClose}>
            <Icon name="cross" />
          </button>
        </header>
        <div className={styles.body}>{props.children}</div>
        {props.footer && <footer className={styles.footer}>{props.footer}</footer>}
      </div>
    </dialog>
  );
}
