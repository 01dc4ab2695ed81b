import type { Edge, EdgeProps } from "@xyflow/react";
import { createContext, memo, type ReactNode, useContext } from "react";
import { type Bend, bentPath } from "./bend.ts";
import styles from "./graph-view.module.css";

export type StepEdgeType = Edge<{ key: string; bend: Bend }>;

/**
 * The edges that were taken; without it none is drawn differently. Beside what the library is told: it goes through all
 * edges again where it is told of one.
 */
export const TakenEdges = createContext<ReadonlySet<string> | undefined>(undefined);

/**
 * An edge with the name of the handle it leaves by, right where it leaves. The library's own measures its words before it shows them, and hides
 * them for good where they were measured too early.
 */
export const StepEdge = memo(function StepEdge(props: EdgeProps<StepEdgeType>): ReactNode {
  const taken = useContext(TakenEdges);
  const [path] = bentPath(props, props.data?.bend);
  const look = taken && (taken.has(props.data?.key ?? "") ? styles.taken : styles.untaken);
  return (
    <>
      <path d={path} fill="none" className={`react-flow__edge-path ${look ?? ""}`} />
      {props.label && (
        <text x={props.sourceX} y={props.sourceY + 13} dy="0.32em" className={styles.handleName}>
          {props.label}
        </text>
      )}
    </>
  );
});
