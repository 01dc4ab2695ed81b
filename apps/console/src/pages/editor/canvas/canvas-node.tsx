import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { wayPlace } from "../../../graph/way-name.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { StepNode } from "./canvas-elements.ts";
import styles from "./canvas.module.css";

/** A node on the canvas: what comes in at the top, one way out at the bottom for each handle. */
export const CanvasNode = memo(function CanvasNode({ data, selected }: NodeProps<StepNode>): ReactNode {
  const { label, type, note, problems, container } = data;
  const handles = data.handles === "" ? [] : data.handles.split("\n");
  return (
    <div
      className={styles.step}
      data-selected={selected}
      data-container={container}
      data-faulty={problems > 0}
    >
      {type !== "start" && <Handle type="target" position={Position.Top} className={styles.handle} />}
      <div className={styles.title}>
        {problems > 0 && (
          <span className={styles.problem}>
            <Icon name="bolt" size={13} />
          </span>
        )}
        <strong className={styles.label}>{label}</strong>
      </div>
      <div className={styles.type}>{type}</div>
      {note && <div className={styles.note}>{note}</div>}
      {handles.map((handle, index) => (
        <Handle
          key={handle}
          id={handle}
          type="source"
          position={Position.Bottom}
          className={styles.handle}
          style={{ left: `${wayPlace(index, handles.length) * 100}%` }}
          title={handle}
        />
      ))}
    </div>
  );
});
