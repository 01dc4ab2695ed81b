import type { ReactNode } from "react";
import type { ComparedNode, PatchOperation } from "../../api/compare.ts";
import { type TextKey, useT } from "../../texts/texts.tsx";
import styles from "./compare-page.module.css";

/** In what a node differs between two runs. */
export function Differences({ node }: { node: ComparedNode }): ReactNode {
  const t = useT();
  if (node.differs.length === 0) return <span className="muted">{t("compare.equal")}</span>;
  return (
    <div className="stack">
      <span>{node.differs.map((what) => t(`compare.${what}` as TextKey)).join(", ")}</span>
      {(["input", "output"] as const).map((name) => {
        const value = node[name];
        if (!value || value.equal) return null;
        return (
          <details key={name}>
            <summary>{t(`node.${name}`)}</summary>
            {value.leftOut && <p className="muted small">{t("compare.leftOut")}</p>}
            {value.patch && <Patch operations={value.patch} />}
          </details>
        );
      })}
    </div>
  );
}

const WORDS: Readonly<Record<PatchOperation["op"], TextKey>> = {
  add: "compare.added",
  remove: "compare.removed",
  replace: "compare.changed",
};

function Patch({ operations }: { operations: readonly PatchOperation[] }): ReactNode {
  const t = useT();
  return (
    <ul className={styles.patch}>
      {operations.map(({ op, path, value }) => (
        <li key={`${op} ${path}`} data-op={op}>
          <strong>{t(WORDS[op])}</strong> {path || "/"} {op !== "remove" && <span>{preview(value)}</span>}
        </li>
      ))}
    </ul>
  );
}

const PREVIEW = 400;

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}
