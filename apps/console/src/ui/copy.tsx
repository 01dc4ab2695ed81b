import { type ReactNode, useEffect, useState } from "react";
import { useT } from "../texts/texts.tsx";
import { Icon } from "./icon.tsx";
import styles from "./copy.module.css";

/** A line to paste elsewhere, with the button that copies it. */
export function CopyLine({ text, secret = false }: { text: string; secret?: boolean }): ReactNode {
  return (
    <div className={styles.line} data-secret={secret}>
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}

export function CopyButton({ text, label }: { text: string; label?: string }): ReactNode {
  const t = useT();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className="quiet"
      aria-label={label ?? t("action.copy")}
      title={label ?? t("action.copy")}
      onClick={() => {
        void navigator.clipboard?.writeText(text).then(() => setCopied(true));
      }}
    >
      <Icon name={copied ? "check" : "copy"} />
      <span role="status" className={copied ? undefined : "visually-hidden"}>
        {copied ? t("action.copied") : ""}
      </span>
    </button>
  );
}
