import type { KeyboardEvent, ReactNode } from "react";
import styles from "./tabs.module.css";

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly text: string }[];
  readonly selected: string;
  /** Id of the element that shows what is selected. */
  readonly panel: string;
  readonly onSelect: (id: string) => void;
}

export function Tabs({ label, tabs, selected, panel, onSelect }: Props): ReactNode {
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    const place = tabs.findIndex(({ id }) => id === selected);
    const next = tabs[(place + move + tabs.length) % tabs.length]!;
    onSelect(next.id);
    document.getElementById(`${panel}-${next.id}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
      {tabs.map(({ id, text }) => (
        <button
          key={id}
          id={`${panel}-${id}`}
          type="button"
          role="tab"
          aria-selected={id === selected}
          aria-controls={panel}
          tabIndex={id === selected ? 0 : -1}
          className={styles.tab}
          onClick={() => onSelect(id)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
