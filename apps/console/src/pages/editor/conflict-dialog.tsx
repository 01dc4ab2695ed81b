import type { ReactNode } from "react";
import { type TextKey, useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { type Difference, differences } from "./differences.ts";
import type { Flow } from "./flow.ts";
import { isSame } from "./rewrite.ts";
import { useEditor } from "./use-editor.ts";
import styles from "./editor-page.module.css";

/** Somebody else saved the draft, in another tab or by `apply`: both are shown, and nothing is lost until one is chosen. */
export function ConflictDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const conflict = useEditor((state) => state.conflict);
  const flow = useEditor((state) => state.flow);
  const report = useEditor((state) => state.report);
  const take = useEditor((state) => state.take);
  if (!conflict) return null;
  const changes = differences(flow, conflict.flow);
  return (
    <Dialog
      wide
      title={t("editor.conflict")}
      onClose={onClose}
      footer={
        <>
          <button type="button" onClick={onClose}>
            {t("editor.decideLater")}
          </button>
          <button
            type="button"
            onClick={() =>
              report({
                revision: conflict.revision,
                saved: "unsaved",
                conflict: undefined,
                saveError: undefined,
              })
            }
          >
            {t("editor.keepMine")}
          </button>
          <button type="button" className="primary" onClick={() => take(conflict.flow, conflict.revision)}>
            {t("editor.takeTheirs")}
          </button>
        </>
      }
    >
      <div className="stack">
        <p>{t("editor.conflictText")}</p>
        {changes.length === 0 && <p>{t("editor.onlyOrder")}</p>}
        <ul className={styles.differences} aria-label={t("editor.differences")}>
          {changes.map((change) => (
            <li key={`${change.what} ${change.id}`}>
              <strong>{t(wordsOf(change), { id: change.id })}</strong>
              {change.change === "changed" && <Both change={change} mine={flow} theirs={conflict.flow} />}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function wordsOf({ change }: Difference): TextKey {
  return `editor.theirs.${change}`;
}

function Both(props: { change: Difference; mine: Flow; theirs: Flow }): ReactNode {
  const t = useT();
  const { change, mine, theirs } = props;
  const [one, other] = [textOf(mine, change), textOf(theirs, change)];
  if (isSame(one, other)) return null;
  return (
    <div className={styles.both}>
      <figure>
        <figcaption className="muted small">{t("editor.mine")}</figcaption>
        <pre tabIndex={0}>{one}</pre>
      </figure>
      <figure>
        <figcaption className="muted small">{t("editor.theirs")}</figcaption>
        <pre tabIndex={0}>{other}</pre>
      </figure>
    </div>
  );
}

function textOf(flow: Flow, { what, id }: Difference): string {
  const { nodes, edges, notes } = flow.graph;
  const list = { node: nodes, edge: edges, note: notes, setting: undefined }[what];
  const item = what === "setting" ? flow[id as keyof Flow] : list?.find((one) => one.id === id);
  return JSON.stringify(item, null, 2) ?? "";
}
