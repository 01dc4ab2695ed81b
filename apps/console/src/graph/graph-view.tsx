import {
  Background,
  Controls,
  type Node,
  type NodeChange,
  type NodeProps,
  ReactFlow,
  type Viewport,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { memo, type ReactNode, useMemo, useRef, useState } from "react";
import { StatusMark } from "../ui/status.tsx";
import { type NodeData, useGraphEdges, useGraphNodes } from "./graph-elements.ts";
import type { FlowGraph, NodeMark } from "./graph-model.ts";
import { useGraphWords } from "./graph-words.ts";
import { layoutGraph } from "./layout.ts";
import { StepEdge, TakenEdges } from "./step-edge.tsx";
import { wayPlace } from "./way-name.ts";
import styles from "./graph-view.module.css";
import surface from "./surface.module.css";

interface Props {
  readonly graph: FlowGraph;
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string | undefined) => void;
  readonly taken?: ReadonlySet<string>;
  readonly label: string;
  /** Zoom and corner, as the address has them; without it all is shown. */
  readonly zoom?: string | undefined;
  readonly onZoom?: (zoom: string | undefined) => void;
}

const FIT = { maxZoom: 1, padding: 0.1 };
const PRO = { hideAttribution: true };

/** A flow drawn from top to bottom. Each node says its name and status in words, to eyes and to screen readers. */
export function GraphView(props: Props): ReactNode {
  const { graph, marks, selected, taken, label, zoom } = props;
  const [placed] = useState(() => toViewport(zoom));
  // Fitting everything in is no choice of the reader's.
  const isMoved = useRef(false);
  const boxes = useMemo(() => layoutGraph(graph), [graph]);
  const nodes = useGraphNodes(graph, boxes, marks, selected);
  const edges = useGraphEdges(graph, boxes);
  const words = useGraphWords();
  // Stays the same whatever its caller is made of: the library takes every new function to its heart.
  const latest = useRef(props);
  latest.current = props;
  const [on] = useState(() => ({
    nodeClick: (_event: unknown, node: Node) => latest.current.onSelect(node.id),
    paneClick: () => latest.current.onSelect(undefined),
    moveEnd: (event: unknown, viewport: Viewport) => {
      if (event || isMoved.current) latest.current.onZoom?.(fromViewport(viewport));
    },
    nodesChange: (changes: NodeChange<Node<NodeData>>[]) => {
      const { selected: chosen, onSelect } = latest.current;
      for (const change of changes)
        if (change.type === "select" && change.selected && change.id !== chosen) onSelect(change.id);
    },
    zoom: () => (isMoved.current = true),
    fit: () => {
      isMoved.current = false;
      latest.current.onZoom?.(undefined);
    },
  }));
  // The page around it is drawn far more often than what is drawn here changes.
  const drawn = useMemo(
    () => (
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView={placed === undefined}
        {...(placed && { defaultViewport: placed })}
        fitViewOptions={FIT}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable
        deleteKeyCode={null}
        onlyRenderVisibleElements={nodes.length > 200}
        proOptions={PRO}
        ariaLabelConfig={words}
        onNodeClick={on.nodeClick}
        onPaneClick={on.paneClick}
        onMoveEnd={on.moveEnd}
        onNodesChange={on.nodesChange}
      >
        <Background gap={22} size={1} />
        <Controls showInteractive={false} onZoomIn={on.zoom} onZoomOut={on.zoom} onFitView={on.fit} />
      </ReactFlow>
    ),
    [nodes, edges, placed, words, on],
  );
  return (
    <div className={`${surface.surface} ${styles.graph}`} role="group" aria-label={label}>
      <TakenEdges value={taken}>{drawn}</TakenEdges>
    </div>
  );
}

function toViewport(text: string | undefined): Viewport | undefined {
  const [zoom = Number.NaN, x = 0, y = 0] = (text ?? "").split(",").map(Number);
  return text && zoom > 0 ? { zoom, x, y } : undefined;
}

function fromViewport({ zoom, x, y }: Viewport): string {
  return [zoom.toFixed(2), Math.round(x), Math.round(y)].join(",");
}

const Step = memo(function Step({ data, selected }: NodeProps<Node<NodeData>>): ReactNode {
  const { label, type, mark, container } = data;
  const ways = data.ways === "" ? [] : data.ways.split("\n");
  return (
    <div
      className={styles.step}
      data-container={container}
      data-selected={selected}
      data-difference={mark?.difference}
      data-faint={mark?.status === "SKIPPED"}
    >
      {/* The library looks for them when it measures a node, which it does once, whatever it was told before. */}
      <span className={`target ${styles.handle}`} data-handlepos="top" />
      {ways.map((way, index) => (
        <span
          key={way}
          className={`source ${styles.handle}`}
          data-handlepos="bottom"
          data-handleid={way}
          style={{ left: `${wayPlace(index, ways.length) * 100}%` }}
        />
      ))}
      <div className={styles.title}>
        {mark?.status && mark.status !== "SKIPPED" && <StatusMark status={mark.status} />}
        <strong className={styles.label}>{label}</strong>
      </div>
      <div className={styles.detail}>
        <span>{type}</span>
        {mark?.text && <span className="number">{mark.text}</span>}
      </div>
      {mark?.heat !== undefined && (
        <span
          className={styles.heat}
          style={{ width: `${Math.max(2, mark.heat * 100)}%` }}
          aria-hidden="true"
        />
      )}
    </div>
  );
});

const nodeTypes = { step: Step };
const edgeTypes = { step: StepEdge };
