import { memo, type ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useAdding } from "../adding.tsx";
import { type FlowNode, labelOf } from "../flow.ts";
import { handlesOf, isContainer } from "../node-types.ts";
import { moveInList, moveInto } from "../operations/containers.ts";
import { containersFor } from "../operations/insert.ts";
import { removeNodes } from "../operations/nodes.ts";
import { noteOf } from "../operations/set-field.ts";
import { useEditor } from "../use-editor.ts";
import styles from "./outline.module.css";

interface Props {
  readonly node: FlowNode;
  readonly depth: number;
  readonly ways: string;
  readonly problems: number;
  readonly isSelected: boolean;
  /** It is the only one that is selected. */
  readonly isAlone: boolean;
  readonly onOpen: () => void;
}

export const OutlineItem = memo(function OutlineItem(props: Props): ReactNode {
  const { node, depth, ways, problems, isSelected, isAlone, onOpen } = props;
  const t = useT();
  const select = useEditor((state) => state.select);
  const selection = useEditor((state) => state.selection);
  const note = noteOf(node);
  return (
    <li
      className={styles.item}
      data-node={node.id}
      data-depth={Math.min(depth, 6)}
      data-selected={isSelected}
    >
      <button
        type="button"
        data-name=""
        className={styles.name}
        aria-pressed={isSelected}
        onClick={(event) => {
          const isMore = event.ctrlKey || event.metaKey || event.shiftKey;
          if (!isMore) return select([node.id]);
          select(isSelected ? selection.filter((id) => id !== node.id) : [...selection, node.id]);
        }}
        onDoubleClick={onOpen}
      >
        <span className={styles.title}>
          <strong>{labelOf(node)}</strong>
          <span className="muted small">{node.type}</span>
          {problems > 0 && (
            <span className={styles.problem}>
              <Icon name="bolt" size={13} />
              {t("editor.problems", { count: problems })}
            </span>
          )}
        </span>
        {ways && <span className={styles.ways}>{ways}</span>}
        {note && <span className={styles.note}>{note}</span>}
      </button>
      {isSelected && isAlone && <ItemActions node={node} onOpen={onOpen} />}
    </li>
  );
});

function ItemActions({ node, onOpen }: { node: FlowNode; onOpen: () => void }): ReactNode {
  const t = useT();
  const flow = useEditor((state) => state.flow);
  const change = useEditor((state) => state.change);
  const isReadOnly = useEditor((state) => state.isReadOnly || state.faults.length > 0);
  const add = useAdding();
  const containers = containersFor(flow, node.id);
  return (
    <div className={styles.actions} role="group" aria-label={t("editor.actionsOf", { node: labelOf(node) })}>
      <button type="button" onClick={onOpen}>
        {t(isReadOnly ? "editor.details" : "editor.edit")}
      </button>
      {!isReadOnly && (
        <>
          {handlesOf(node).length > 0 && (
            <button type="button" onClick={() => add({ after: node.id })}>
              {t("editor.insertAfter")}
            </button>
          )}
          {isContainer(node.type) && (
            <button type="button" onClick={() => add({ into: node.id })}>
              {t("editor.insertInside")}
            </button>
          )}
          <button type="button" onClick={() => change(moveInList(node.id, -1))}>
            {t("editor.moveUp")}
          </button>
          <button type="button" onClick={() => change(moveInList(node.id, 1))}>
            {t("editor.moveDown")}
          </button>
          {(containers.length > 0 || node.parentId) && node.type !== "start" && (
            <select
              aria-label={t("editor.moveInto")}
              value={node.parentId ?? ""}
              onChange={(event) => change(moveInto([node.id], event.target.value || undefined))}
            >
              <option value="">{t("editor.outermost")}</option>
              {containers.map((container) => (
                <option key={container.id} value={container.id}>
                  {t("editor.inside", { node: labelOf(container) })}
                </option>
              ))}
            </select>
          )}
          <button type="button" className="danger" onClick={() => change(removeNodes([node.id]))}>
            {t("editor.remove")}
          </button>
        </>
      )}
    </div>
  );
}
