import {
  Background,
  Controls,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type Viewport,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { memo, type ReactNode, useMemo, useRef, useState } from "react";
import { useT } from "../texts/texts.tsx";
import { Status, statusText } from "../ui/status.tsx";
import type { FlowGraph, NodeMark } from "./graph-model.ts";
import { layoutGraph } from "./layout.ts";
import { edgeKey } from "./merge-graphs.ts";
import styles from "./graph-view.module.css";

interface Props {
  readonly graph: FlowGraph;
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string | undefined) => void;
  /** Edges that were taken; without it none is drawn differently. */
  readonly taken?: ReadonlySet<string>;
  readonly label: string;
  /** Zoom and corner, as the address has them; without it all is shown. */
  readonly zoom?: string | undefined;
  readonly onZoom?: (zoom: string | undefined) => void;
}

interface NodeData extends Record<string, unknown> {
  readonly label: string;
  readonly type: string;
  readonly mark: NodeMark | undefined;
  readonly container: boolean;
}

/** A flow drawn from top to bottom. Each node says its name and status in words, to eyes and to screen readers. */
export function GraphView(props: Props): ReactNode {
  const { graph, marks, selected, onSelect, taken, label, zoom, onZoom } = props;
  const t = useT();
  const [placed] = useState(() => toViewport(zoom));
  // Fitting everything in is no choice of the reader's.
  const isMoved = useRef(false);
  const boxes = useMemo(() => layoutGraph(graph), [graph]);
  const nodes = useMemo(() => {
    const known = new Set(graph.nodes.map(({ id }) => id));
    const containers = new Set(graph.nodes.map(({ parentId }) => parentId));
    const made = graph.nodes.map((node): Node<NodeData> => {
      const box = boxes.get(node.id) ?? { x: 0, y: 0, width: 190, height: 54 };
      const mark = marks.get(node.id);
      const name = node.label || node.id;
      return {
        id: node.id,
        type: "step",
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        ...(node.parentId && known.has(node.parentId) && { parentId: node.parentId }),
        data: { label: name, type: node.type, mark, container: containers.has(node.id) },
        selected: node.id === selected,
        ariaLabel: [name, node.type, mark?.status && t(statusText(mark.status)), mark?.text]
          .filter(Boolean)
          .join(", "),
      };
    });
    // Parents first: the library places a node by what stands before it.
    const depth = (node: Node): number => {
      let steps = 0;
      for (let at = node.parentId; at && steps < 50; steps++) at = made.find(({ id }) => id === at)?.parentId;
      return steps;
    };
    return made.some(({ parentId }) => parentId)
      ? made.toSorted((one, other) => depth(one) - depth(other))
      : made;
  }, [graph, boxes, marks, selected, t]);
  const edges = useMemo(
    () =>
      graph.edges.map((edge, index): Edge => ({
        id: `edge-${index}`,
        source: edge.source,
        target: edge.target,
        type: "smoothstep",
        focusable: false,
        ...(edge.sourceHandle !== "out" && { label: edge.sourceHandle }),
        className: taken ? (taken.has(edgeKey(edge)) ? styles.taken : styles.untaken) : styles.edge,
      })),
    [graph, taken],
  );
  return (
    <div className={styles.graph} role="group" aria-label={label}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        fitView={placed === undefined}
        {...(placed && { defaultViewport: placed })}
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        minZoom={0.05}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable
        deleteKeyCode={null}
        onlyRenderVisibleElements={nodes.length > 200}
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_event, node) => onSelect(node.id)}
        onPaneClick={() => onSelect(undefined)}
        onMoveEnd={(event, viewport) => {
          if (onZoom && (event || isMoved.current)) onZoom(fromViewport(viewport));
        }}
        onNodesChange={(changes) => {
          for (const change of changes)
            if (change.type === "select" && change.selected && change.id !== selected) onSelect(change.id);
        }}
      >
        <Background gap={22} size={1} />
        <Controls
          showInteractive={false}
          onZoomIn={() => (isMoved.current = true)}
          onZoomOut={() => (isMoved.current = true)}
          onFitView={() => {
            isMoved.current = false;
            onZoom?.(undefined);
          }}
        />
      </ReactFlow>
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
  return (
    <div
      className={styles.step}
      data-container={container}
      data-selected={selected}
      data-difference={mark?.difference}
      data-faint={mark?.status === "SKIPPED"}
    >
      <Handle type="target" position={Position.Top} className={styles.handle} isConnectable={false} />
      <div className={styles.title}>
        {mark?.status && mark.status !== "SKIPPED" && <Status status={mark.status} compact />}
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
      <Handle type="source" position={Position.Bottom} className={styles.handle} isConnectable={false} />
    </div>
  );
});

const nodeTypes = { step: Step };
