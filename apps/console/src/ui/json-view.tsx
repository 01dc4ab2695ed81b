import { type ReactNode, useState } from "react";
import { useLanguage, useT } from "../texts/texts.tsx";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icon.tsx";
import styles from "./json-view.module.css";

const CHILDREN_AT_ONCE = 100;
const TEXT_AT_ONCE = 2_000;

/** A value as a tree that opens bit by bit, so that one of many megabytes opens as quickly as a small one. */
export function JsonView({ value, name }: { value: unknown; name: string }): ReactNode {
  const t = useT();
  return (
    <div className={styles.frame}>
      <div className={styles.tools}>
        <LazyCopy value={value} />
        <button
          type="button"
          className="quiet"
          onClick={() => download(value, name)}
          aria-label={t("value.download")}
          title={t("value.download")}
        >
          <Icon name="download" />
        </button>
      </div>
      <div className={styles.tree}>
        <Value value={value} depth={0} />
      </div>
    </div>
  );
}

/** The text is made when somebody wants it, not for every value that is shown. */
function LazyCopy({ value }: { value: unknown }): ReactNode {
  const [text, setText] = useState<string>();
  const t = useT();
  if (text !== undefined) return <CopyButton text={text} />;
  return (
    <button
      type="button"
      className="quiet"
      aria-label={t("action.copy")}
      title={t("action.copy")}
      onClick={() => {
        const made = JSON.stringify(value, null, 2) ?? "";
        void navigator.clipboard?.writeText(made).then(() => setText(made));
      }}
    >
      <Icon name="copy" />
    </button>
  );
}

function download(value: unknown, name: string): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

function Value({ value, depth }: { value: unknown; depth: number }): ReactNode {
  if (typeof value === "string") return <Text text={value} />;
  if (value === null || typeof value !== "object")
    return (
      <span className={styles.plain} data-type={value === null ? "null" : typeof value}>
        {String(value)}
      </span>
    );
  return <Container value={value} depth={depth} />;
}

function Text({ text }: { text: string }): ReactNode {
  const { t, locale } = useLanguage();
  const [shown, setShown] = useState(TEXT_AT_ONCE);
  return (
    <span className={styles.text}>
      {JSON.stringify(text.slice(0, shown)).replace(/"$/, text.length > shown ? "…" : '"')}
      {text.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown(shown * 10)}>
          {t("value.moreText", { count: (text.length - shown).toLocaleString(locale) })}
        </button>
      )}
    </span>
  );
}

function Container({ value, depth }: { value: object; depth: number }): ReactNode {
  const { t, locale } = useLanguage();
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const count = isList ? value.length : keys!.length;
  const [open, setOpen] = useState(depth < 2 && count <= CHILDREN_AT_ONCE);
  const [shown, setShown] = useState(CHILDREN_AT_ONCE);
  const brackets = isList ? "[]" : "{}";
  if (count === 0) return <span className={styles.plain}>{brackets}</span>;
  return (
    <>
      <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "right"} size={11} />
        {brackets[0]}
        {!open && ` ${count.toLocaleString(locale)} ${brackets[1]}`}
      </button>
      {open && (
        <ul className={styles.children}>
          {Array.from({ length: Math.min(count, shown) }, (_, index) => {
            const key = keys ? keys[index]! : index;
            return (
              <li key={key}>
                <span className={styles.key}>{keys ? JSON.stringify(key) : key}</span>
                <Value value={(value as Record<string | number, unknown>)[key]} depth={depth + 1} />
              </li>
            );
          })}
          {count > shown && (
            <li>
              <button
                type="button"
                className={styles.more}
                onClick={() => setShown(shown + 10 * CHILDREN_AT_ONCE)}
              >
                {t("value.more", { count: (count - shown).toLocaleString(locale) })}
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  );
}
