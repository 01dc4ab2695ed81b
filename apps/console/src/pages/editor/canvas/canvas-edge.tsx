import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { bentPath } from "../../../graph/bend.ts";
import { useT } from "../../../texts/texts.tsx";
import { useAdding } from "../adding.tsx";
import { disconnect } from "../operations/edges.ts";
import { useEditor } from "../use-editor.ts";
import type { WayEdge } from "./canvas-elements.ts";
import styles from "./canvas.module.css";

/** An edge with the name of its way out; who comes near its middle can insert a node or take the edge away. */
export const CanvasEdge = memo(function CanvasEdge(props: EdgeProps<WayEdge>): ReactNode {
  const { id, source, target, sourceX, sourceY } = props;
  const t = useT();
  const add = useAdding();
  const change = useEditor((state) => state.change);
  const isReadOnly = useEditor((state) => state.isReadOnly);
  const [path, x, y] = bentPath(props, props.data?.bend);
  const names = { source, target };
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={20} />
      <EdgeLabelRenderer>
        {props.data?.label && (
          <span
            className={styles.wayName}
            style={{ transform: `translate(-50%, 0) translate(${sourceX}px, ${sourceY + 7}px)` }}
          >
            {props.data.label}
          </span>
        )}
        {!isReadOnly && (
          <div
            className={`${styles.way} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            <span className={styles.wayActions}>
              <button
                type="button"
                tabIndex={-1}
                aria-label={t("editor.insertOn", names)}
                onClick={() => add({ edge: id })}
              >
                +
              </button>
              <button
                type="button"
                tabIndex={-1}
                aria-label={t("editor.removeEdge", names)}
                onClick={() => change(disconnect(id))}
              >
                ×
              </button>
            </span>
          </div>
        )}
      </EdgeLabelRenderer>
    </>
  );
});
