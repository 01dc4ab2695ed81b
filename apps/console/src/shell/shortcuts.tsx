import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { type TextKey, useT } from "../texts/texts.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { navigation } from "./navigation.ts";
import styles from "./shortcuts.module.css";

const GO_WITHIN_MS = 1_200;

/** Whether keys belong to what is being written, or to a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest("dialog, [data-typing]") !== null)
  );
}

/** Keys that work everywhere: the palette, the list of keys, and `g` with a letter for every page. */
export function useShortcuts() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | undefined>();

  useEffect(() => {
    // Times are counted from the start of the page, so 0 would be a `g` at that moment.
    let wentAt = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen("palette");
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") {
        setOpen("help");
      } else if (event.key === "g") {
        wentAt = event.timeStamp;
      } else if (event.timeStamp - wentAt < GO_WITHIN_MS) {
        wentAt = -Infinity;
        const place = navigation()
          .flat()
          .find(({ letter }) => letter === event.key);
        if (!place) return;
        // Pages have letters of their own.
        event.stopPropagation();
        void navigate({ to: place.to });
      }
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [navigate]);

  return {
    palette: open === "palette",
    help: open === "help",
    openPalette: useCallback(() => setOpen("palette"), []),
    openHelp: useCallback(() => setOpen("help"), []),
    close: useCallback(() => setOpen(undefined), []),
  };
}

const runKeys: readonly (readonly [string, TextKey])[] = [
  ["↑ ↓", "keys.select"],
  ["J / K", "keys.nextRun"],
  ["E", "keys.errors"],
  ["F", "keys.fork"],
  ["C", "keys.cancel"],
  ["/", "keys.search"],
];

const editorKeys: readonly (readonly [string, TextKey])[] = [
  ["A", "editor.add"],
  ["N", "editor.addNote"],
  ["E", "editor.editNode"],
  ["Esc", "editor.leave"],
  ["Del", "editor.remove"],
  ["Ctrl Z", "editor.undo"],
  ["Ctrl Y", "editor.redo"],
  ["Ctrl C", "editor.copy"],
  ["Ctrl V", "editor.paste"],
  ["/", "editor.find"],
];

export function ShortcutHelp({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      <h3>{t("keys.everywhere")}</h3>
      <dl className={styles.keys}>
        <Key keys="⌘K / Ctrl K" text={t("palette.open")} />
        <Key keys="?" text={t("keys.title")} />
        {navigation()
          .flat()
          .map(({ to, letter, text }) => (
            <Key key={to} keys={`G ${letter.toUpperCase()}`} text={t(text)} />
          ))}
      </dl>
      <h3>{t("keys.onRun")}</h3>
      <dl className={styles.keys}>
        {runKeys.map(([keys, text]) => (
          <Key key={keys} keys={keys} text={t(text)} />
        ))}
      </dl>
      <h3>{t("editor.keys")}</h3>
      <dl className={styles.keys}>
        {editorKeys.map(([keys, text]) => (
          <Key key={keys} keys={keys} text={t(text)} />
        ))}
      </dl>
    </Dialog>
  );
}

function Key({ keys, text }: { keys: string; text: string }): ReactNode {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
