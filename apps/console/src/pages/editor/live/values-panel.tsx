import type { ReactNode } from "react";
import type { EvaluatedNode } from "./live-store.ts";
import { useT } from "../../../texts/texts.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { ErrorNote } from "../../../ui/notes.tsx";
import { Status } from "../../../ui/status.tsx";
import { selectedNode } from "../notes.ts";
import { useEditor, useEditorStore } from "../use-editor.ts";
import { RunChooser } from "./run-chooser.tsx";
import { TestRunButtons } from "./test-run.tsx";
import { useLive } from "./use-live.ts";
import styles from "./live.module.css";

/** What the draft makes of a recorded run: of the selected node, or of all. */
export function ValuesPanel(): ReactNode {
  const t = useT();
  const { evaluation, nodes, error, isBusy } = useLive((live) => live);
  const selected = useEditor(selectedNode);
  const node = selected === undefined ? undefined : nodes.get(selected);
  return (
    <div className={styles.panel} aria-busy={isBusy}>
      <RunChooser />
      <TestRunButtons />
      {error != null && <ErrorNote error={error} />}
      {evaluation && evaluation.errors.length > 0 && (
        <p role="status" className={styles.note}>
          {t("live.cannotRun", { error: evaluation.errors[0]! })}
        </p>
      )}
      {node && <NodeValues node={node} />}
      {selected !== undefined && !node && evaluation && <p className="muted">{t("live.notReached")}</p>}
      {selected === undefined && evaluation && <NodeList nodes={[...nodes.values()]} />}
    </div>
  );
}

function NodeValues({ node }: { node: EvaluatedNode }): ReactNode {
  const t = useT();
  return (
    <section className="stack" aria-label={t("live.valuesOf", { node: node.nodeKey })}>
      <h2 className="row">
        <code>{node.nodeKey}</code>
        <Status status={node.status} />
      </h2>
      <p className="small muted">
        {t(`live.${node.source}`)}
        {node.changed && ` · ${t("live.changed")}`}
        {node.inputChanged && ` · ${t("live.inputChanged")}`}
      </p>
      {node.leftOut && <p className="small muted">{t("compare.leftOut")}</p>}
      {node.error && (
        <p className={styles.note}>
          <strong>{node.error.name}</strong> {node.error.message}
        </p>
      )}
      {(["input", "output"] as const).map(
        (side) =>
          node[side] !== undefined && (
            <section key={side} className="stack" aria-label={t(`node.${side}`)}>
              <h3>{t(`node.${side}`)}</h3>
              <JsonView value={node[side]} name={`${node.nodeKey}-${side}`} />
            </section>
          ),
      )}
    </section>
  );
}

function NodeList({ nodes }: { nodes: readonly EvaluatedNode[] }): ReactNode {
  const t = useT();
  const editor = useEditorStore();
  return (
    <ul className={styles.nodes}>
      {nodes.map((node) => (
        <li key={node.nodeId}>
          <button type="button" className="quiet" onClick={() => editor.getState().select([node.nodeId])}>
            <code>{node.nodeId}</code>
            <Status status={node.status} />
            {node.changed && <span className="small">{t("live.changed")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
