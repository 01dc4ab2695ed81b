import { type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import styles from "./graph-view.module.css";

/**
 * An edge with the name of the handle it leaves by. The library's own measures its words before it shows them, and hides
 * them for good where they were measured too early.
 */
export const StepEdge = memo(function StepEdge(props: EdgeProps): ReactNode {
  const [path, x, y] = getSmoothStepPath(props);
  return (
    <>
      <path d={path} fill="none" className="react-flow__edge-path" />
      {props.label && (
        <text x={x} y={y} dy="0.32em" className={styles.handleName}>
          {props.label}
        </text>
      )}
    </>
  );
});
