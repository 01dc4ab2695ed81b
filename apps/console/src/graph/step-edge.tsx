import type { Edge, EdgeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { type Bend, bentPath } from "./bend.ts";
import styles from "./graph-view.module.css";

export type StepEdgeType = Edge<{ bend: Bend }>;

/**
 * An edge with the name of the handle it leaves by, right where it leaves. The library's own measures its words before it shows them, and hides
 * them for good where they were measured too early.
 */
export const StepEdge = memo(function StepEdge(props: EdgeProps<StepEdgeType>): ReactNode {
  const [path] = bentPath(props, props.data?.bend);
  return (
    <>
      <path d={path} fill="none" className="react-flow__edge-path" />
      {props.label && (
        <text x={props.sourceX} y={props.sourceY + 13} dy="0.32em" className={styles.handleName}>
          {props.label}
        </text>
      )}
    </>
  );
});
