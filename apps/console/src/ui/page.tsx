import { type ReactNode, useEffect } from "react";
import styles from "./page.module.css";

/** The frame of a page: its name, what can be done on it, and its contents. The tab carries the same name. */
export function Page(props: {
  title: string;
  /** Shown instead of the plain name. */
  heading?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}): ReactNode {
  const { title, heading, actions, wide = false, children } = props;
  useEffect(() => {
    document.title = `${title} · Millrace`;
  }, [title]);
  return (
    <div className={styles.page} data-wide={wide}>
      <header className={styles.header}>
        {heading ?? <h1>{title}</h1>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Panel(props: { title?: string; actions?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <section className={styles.panel} aria-label={props.title}>
      {(props.title || props.actions) && (
        <header className={styles.panelHeader}>
          {props.title && <h2>{props.title}</h2>}
          {props.actions}
        </header>
      )}
      {props.children}
    </section>
  );
}

/** A table that scrolls inside itself where it does not fit. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.table} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
